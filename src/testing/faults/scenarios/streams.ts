import { behaviours } from "../behaviours/behaviours.ts";
import { continuation, firstText, mainText } from "../behaviours/texts.ts";
import { nextAtOnce, served } from "./outcomes.ts";
import type { Expectation, ExpectedOutcome, Scenario } from "./scenario.ts";

const brokenOff: ExpectedOutcome = { kind: "broken", code: "upstream_stream_broken", text: firstText };
const spliced: Expectation = { calls: 1, fallbackCalls: 1, outcome: { kind: "answer", from: "both", text: mainText } };

/** What streams that say something wrong call for. */
export const streamScenarios: readonly Scenario[] = [
  {
    name: "one unreadable event is skipped and reported in the warnings",
    section: "4",
    model: "malformed-event",
    expectation: { streamed: { calls: 1, outcome: { kind: "answer", from: "primary", text: mainText, warns: true } } },
  },
  {
    name: "half a JSON document is no answer",
    section: "3",
    model: "malformed-event",
    fallback: "other",
    expectation: { whole: nextAtOnce },
  },
  {
    name: "a reason for the end without an end marker is complete",
    section: "4",
    model: "no-end-marker",
    expectation: { streamed: { calls: 1, outcome: served("no-end-marker") } },
  },
  {
    name: "an end marker without a reason for the end is a broken stream",
    section: "4",
    model: "no-finish-reason",
    expectation: { streamed: { calls: 1, outcome: brokenOff } },
  },
  {
    name: "an error in the stream before any content falls over",
    section: "4",
    model: "error-first",
    fallback: "other",
    expectation: { streamed: { ...nextAtOnce, calls: [1, 3] } },
  },
  {
    name: "what a provider says twice is passed on twice, and ends once",
    section: "4",
    model: "duplicate-chunks",
    expectation: { streamed: { calls: 1, outcome: served("duplicate-chunks") } },
  },
  {
    name: "bytes that are no UTF-8 become replacement characters",
    section: "4",
    model: "invalid-utf8",
    expectation: {
      whole: { calls: 1, outcome: served("invalid-utf8") },
      streamed: { calls: 1, outcome: served("invalid-utf8") },
    },
  },
  {
    name: "a stream closed in the middle is reported as broken, never as complete, and not asked again",
    section: "4",
    model: "cut-mid-stream",
    expectation: { streamed: { calls: 1, outcome: brokenOff } },
  },
  {
    name: "a stream that ends in the middle without a word is broken",
    section: "4",
    model: "ends-early",
    expectation: { streamed: { calls: 1, outcome: brokenOff } },
  },
  {
    name: "a stream reset in the middle is broken",
    section: "4",
    model: "reset-mid-stream",
    expectation: { streamed: { calls: 1, outcome: brokenOff } },
  },
  {
    name: "a stream that falls silent in the middle ends after the gap",
    section: "6.6",
    model: "stall-mid-stream",
    expectation: {
      streamed: {
        calls: 1,
        timeouts: "gap",
        outcome: { kind: "broken", code: "upstream_timeout", text: firstText },
      },
    },
  },
  {
    name: "an error in the middle of a stream is the provider's error",
    section: "4",
    model: "error-mid-stream",
    expectation: { streamed: { calls: 1, outcome: { kind: "broken", code: "upstream_error", text: firstText } } },
  },
  ...(["cut-mid-stream", "reset-mid-stream", "ends-early", "error-mid-stream", "no-finish-reason"] as const).map(
    (model): Scenario => ({
      name: `${model}: a fallback that begins the same is joined without a seam`,
      section: "6.8",
      model,
      fallback: "steady",
      needs: "recovery",
      expectation: { streamed: spliced },
    }),
  ),
  {
    name: "stall-mid-stream: a fallback that begins the same is joined after the gap",
    section: "6.8",
    model: "stall-mid-stream",
    fallback: "steady",
    needs: "recovery",
    expectation: { streamed: { ...spliced, timeouts: "gap" } },
  },
  {
    name: "a fallback that begins differently is asked to continue",
    section: "6.8",
    model: "cut-mid-stream",
    fallback: "prefill-accepts",
    needs: "prefill",
    expectation: {
      streamed: {
        calls: 1,
        fallbackCalls: [1, 2],
        outcome: { kind: "answer", from: "both", text: firstText + continuation },
      },
    },
  },
  {
    name: "a refusal to continue never hides the first failure",
    section: "6.8",
    model: "cut-mid-stream",
    fallback: "prefill-refuses",
    expectation: { streamed: { calls: 1, fallbackCalls: [0, 2], outcome: brokenOff } },
  },
  {
    name: "a fallback that fails in turn never hides the first failure",
    section: "6.8",
    model: "cut-mid-stream",
    fallback: "not-found",
    expectation: { streamed: { calls: 1, fallbackCalls: [0, 1], outcome: brokenOff } },
  },
  {
    name: "a stream of a tool call is not resumed",
    section: "6.8",
    model: "cut-tool-arguments",
    fallback: "steady",
    expectation: {
      streamed: {
        calls: 1,
        outcome: { kind: "broken", code: "upstream_stream_broken", text: behaviours["cut-tool-arguments"].text },
      },
    },
  },
];
