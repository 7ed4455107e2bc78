import { crumble, end, head, reset, type SocketStep, silence, trickle, wait, write } from "../wire/step.ts";
import { answer, answerOfTurn, breakOff, breaks, bytesOf, compressed, headersOf, wordsOf } from "./speech.ts";
import { firstText, firstWords, mainText } from "./texts.ts";
import type { Behaviour, FaultTurn } from "./turn.ts";

const words = wordsOf(mainText);
const well = (turn: FaultTurn): SocketStep[] => answer(turn, words);
const breaking = (by: keyof typeof breaks, does: string): Behaviour => ({
  does,
  text: firstText,
  act: (turn) => breakOff(turn, words, { reported: firstWords, by: breaks[by] }),
});

/** Bytes of the one long word of `huge-line`. */
const hugeWord = "x".repeat(1024 * 1024);
/** More than any event or line may be, less than what would hurt the test's own machine. */
const endless = 24 * 1024 * 1024;

/** Models whose connection misbehaves, whatever is said over it. */
export const transports = {
  "reset-before-headers": {
    does: "resets the connection before it answers, every time",
    text: "",
    act: () => [reset],
  },
  "reset-once": {
    does: "resets the connection once before it answers, then answers well",
    text: mainText,
    act: (turn) => (turn.turn === 1 ? [reset] : well(turn)),
  },
  "reset-mid-body": {
    does: "resets the connection after the head and the first bytes, before any content",
    text: "",
    act: (turn) => breakOff(turn, words, { reported: 0, by: reset }),
  },
  silent: { does: "takes the request and says nothing", text: "", act: () => [silence] },
  "silent-at-first": {
    does: "takes so many requests (`@n`, 5 unless given) and says nothing, then answers well",
    text: mainText,
    act: (turn) => (turn.turn <= (turn.amount ?? 5) ? [silence] : well(turn)),
  },
  "slow-first-token": {
    does: "says nothing for a while (`@ms`), then answers well",
    text: mainText,
    act: (turn) => [wait(turn.amount ?? 200), ...well(turn)],
  },
  "cut-mid-stream": breaking("cut", "closes the connection in the middle of its answer"),
  "reset-mid-stream": breaking("reset", "resets the connection in the middle of its answer"),
  "stall-mid-stream": breaking("silence", "falls silent in the middle of its answer"),
  "ends-early": breaking("end", "ends its message in the middle of its answer, without a word of why"),
  gzip: { does: "compresses its answer with gzip", text: mainText, act: (turn) => compressed(turn, words) },
  trickled: {
    does: "sends its answer a few bytes at a time, cut inside characters and events",
    text: mainText,
    act: (turn) => [
      head(200, headersOf(turn)),
      ...trickle(crumble(bytesOf(turn, answerOfTurn(turn, words)), 23), turn.amount ?? 1),
      end,
    ],
  },
  "huge-line": {
    does: "sends a mebibyte as one word, on one line",
    text: hugeWord,
    act: (turn) => answer(turn, [hugeWord]),
  },
  "endless-line": {
    does: "begins a line and never ends it",
    text: "",
    act: (turn) => [
      head(200, headersOf(turn)),
      write(turn.isStream ? 'data: {"x":"' : '{"x":"'),
      { kind: "flood", bytes: Buffer.alloc(64 * 1024, "x"), upTo: endless },
      end,
    ],
  },
  "wrong-content-type": {
    does: "labels a good answer `text/plain`",
    text: mainText,
    act: (turn) => [head(200, { "content-type": "text/plain" }), write(bytesOf(turn, answerOfTurn(turn, words))), end],
  },
  "empty-body": {
    does: "answers 200 with nothing in it",
    text: "",
    act: (turn) => [head(200, headersOf(turn)), end],
  },
} as const satisfies Record<string, Behaviour>;
