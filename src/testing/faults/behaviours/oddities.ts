import { head, silence, wait, write } from "../wire/step.ts";
import type { SpokenCall } from "../wire/wire.ts";
import {
  answer,
  answerOfTurn,
  answerWith,
  bytesOf,
  eventsOf,
  flattenEvents,
  headersOf,
  refuse,
  wordsOf,
} from "./speech.ts";
import { firstText, firstWords, mainText, otherText } from "./texts.ts";
import type { Behaviour } from "./turn.ts";

const words = wordsOf(mainText);

/** What the model of `interleaved-thinking` shows of its thoughts. */
export const thoughts = ["First the station.", " Then the animals.", " Then those who count."];
const thoughtful = [words.slice(0, 5), words.slice(5, 9), words.slice(9)].map((part) => part.join(""));

/** The calls of `index-zero-for-all`. */
export const parallelCalls = [
  { id: "call_first", name: "find_train", pieces: ['{"from":"', "Köln", '"}'] },
  { id: "call_second", name: "find_hotel", pieces: ['{"city":', '"Basel"}'] },
] as const satisfies readonly SpokenCall[];

const heartbeatMs = 100;
/** Longer than any caller waits for first content in a run. */
const heartbeats = 600;

/** What vendors and the servers in front of them do that no specification of theirs names. */
export const oddities = {
  "alive-but-silent": {
    does: "opens a stream and sends a sign of life ten times a second, but no content",
    text: "",
    act: (turn) => [
      head(200, headersOf(turn)),
      ...Array.from({ length: heartbeats }, () => [write(turn.dialect.heartbeat), wait(heartbeatMs)]).flat(),
      silence,
    ],
  },
  "interleaved-thinking": {
    does: "shows a thought, says a part, shows the next thought",
    text: mainText,
    act: (turn) => answerWith(turn, [bytesOf(turn, answerOfTurn(turn, thoughtful, { thoughts }))]),
  },
  "spliced-stream": {
    does: "begins a second answer in the middle of its stream, as a proxy does that mixes up two",
    text: firstText,
    act: (turn) => {
      const { opening, content } = eventsOf(turn, answerOfTurn(turn, words));
      const second = eventsOf(turn, answerOfTurn(turn, wordsOf(otherText)));
      return answerWith(turn, [...opening, ...content.slice(0, firstWords), ...flattenEvents(second)]);
    },
  },
  "index-zero-for-all": {
    does: "says of two parallel tool calls that both have index 0",
    text: "",
    act: (turn) => {
      const { opening, closing, marker } = eventsOf(turn, answerOfTurn(turn, [], { tool: parallelCalls[0] }));
      const calls = parallelCalls.map((tool) => eventsOf(turn, answerOfTurn(turn, [], { tool })).content);
      return answerWith(turn, [...opening, ...calls.flat(), ...closing, marker]);
    },
  },
  "down-for": {
    does: "answers 503 for a while since it was first asked (`@ms`, a minute unless given), then answers well",
    text: mainText,
    act: (turn) => (turn.sinceFirst < (turn.amount ?? 60_000) ? refuse(turn, "unavailable") : answer(turn, words)),
  },
} as const satisfies Record<string, Behaviour>;
