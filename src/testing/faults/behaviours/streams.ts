import { cut, end, head, type SocketStep, silence, write } from "../wire/step.ts";
import type { EventParts } from "../wire/wire.ts";
import { answer, answerOfTurn, answerWith, bytesOf, eventsOf, headersOf, wholeOf, wordsOf } from "./speech.ts";
import { firstText, firstWords, mainText } from "./texts.ts";
import type { Behaviour, FaultTurn } from "./turn.ts";

const words = wordsOf(mainText);

/** A stream made of a good one's events; a whole answer is as good as any, unless the behaviour has one of its own. */
function streamed(
  change: (events: EventParts, turn: FaultTurn) => readonly SocketStep[],
  whole: (turn: FaultTurn) => readonly SocketStep[] = (turn) => answer(turn, words),
): Behaviour["act"] {
  return (turn) => {
    if (!turn.isStream) return whole(turn);
    return [head(200, headersOf(turn)), ...change(eventsOf(turn, answerOfTurn(turn, words)), turn)];
  };
}

const all = (...events: (readonly string[] | string)[]): SocketStep[] => events.flat().map(write);

/** Arguments of the tool call that is cut. */
const tool = { name: "find_train", pieces: ['{"from":"', "Köln", '","to":"', "Basel", '"}'] };

/** Invalid as UTF-8, wherever it stands. */
const invalidBytes = Buffer.from([0xff, 0xfe, 0xc3, 0x28]);
const invalidMark = "@@invalid@@";
/** What a decoder that replaces makes of {@link invalidBytes}. */
const replaced = "\ufffd\ufffd\ufffd(";

/** Models whose streams say something wrong. */
export const streams = {
  "chatter-only": {
    does: "opens a stream and sends comments and empty events, but no content",
    text: "",
    act: streamed(
      ({ opening }) => [...all(opening, ": still here\n\n", ": still here\n\n"), silence],
      () => [head(200, { "content-type": "application/json" }), silence],
    ),
  },
  "malformed-event": {
    does: "puts one event that is no JSON between good ones (and as a whole answer sends half a JSON document)",
    text: mainText,
    act: streamed(
      ({ opening, content, closing, marker }) => [
        ...all(opening, content.slice(0, 3), 'data: {"choices": [{]\n\n', content.slice(3), closing, marker),
        end,
      ],
      (turn) => answerWith(turn, [wholeOf(turn, words).slice(0, -20)]),
    ),
  },
  "no-end-marker": {
    does: "gives its reason for the end, but not the end marker",
    text: mainText,
    act: streamed(({ opening, content, closing }) => [...all(opening, content, closing), end]),
  },
  "no-finish-reason": {
    does: "sends the end marker without having given a reason for the end",
    text: firstText,
    act: streamed(({ opening, content, marker }) => [...all(opening, content.slice(0, firstWords), marker), end]),
  },
  "error-first": {
    does: "opens a stream and reports an error in it before any content",
    text: "",
    act: streamed(
      ({ opening }, { dialect }) => [...all(opening, dialect.faultEvent("overloaded")), end],
      ({ dialect }) => [
        head(200, { "content-type": "application/json" }),
        write(dialect.fault("overloaded").body),
        end,
      ],
    ),
  },
  "error-mid-stream": {
    does: "reports an error in the middle of its stream",
    text: firstText,
    act: streamed(({ opening, content }, { dialect }) => [
      ...all(opening, content.slice(0, firstWords), dialect.faultEvent("overloaded")),
      end,
    ]),
  },
  "duplicate-chunks": {
    does: "sends every event with content, and the last ones, twice",
    text: words.map((word) => word + word).join(""),
    act: streamed(({ opening, content, closing, marker }) => [
      ...all(
        opening,
        content.flatMap((event) => [event, event]),
        closing,
        closing.slice(-1),
        marker,
        marker,
      ),
      end,
    ]),
  },
  "invalid-utf8": {
    does: "puts bytes that are no UTF-8 into its text",
    text: `before${replaced} after`,
    act: (turn) => {
      const spokenAnswer = answerOfTurn(turn, [`before${invalidMark}`, " after"]);
      return answerWith(turn, [replaceBytes(bytesOf(turn, spokenAnswer), invalidMark, invalidBytes)]);
    },
  },
  "cut-tool-arguments": {
    does: "closes the connection in the middle of a tool call's arguments",
    text: "",
    act: streamed((_events, turn) => {
      const { opening, content } = eventsOf(turn, answerOfTurn(turn, [], { tool }));
      return [...all(opening, content.slice(0, 4)), cut];
    }),
  },
} as const satisfies Record<string, Behaviour>;

function replaceBytes(bytes: Buffer, mark: string, by: Buffer): Buffer {
  const at = bytes.indexOf(mark);
  return Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + mark.length)]);
}
