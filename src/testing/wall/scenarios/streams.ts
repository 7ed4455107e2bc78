import { behaviours } from "../behaviours.ts";
import type { Conduct, Outcome, Scenario } from "../scenario.ts";
import { continuation, mainText, toldText } from "../texts.ts";
import { nextAtOnce, served } from "./outcomes.ts";

const brokenOff: Outcome = { kind: "broken", code: "upstream_stream_broken", text: toldText };
const spliced: Conduct = { calls: 1, fallbackCalls: 1, outcome: { kind: "answer", from: "both", text: mainText } };

/** What streams that say something wrong call for. */
export const streamScenarios: readonly Scenario[] = [
  {
    name: "one unreadable event is skipped and told in the warnings",
    section: "4",
    model: "malformed-event",
    conduct: { streamed: { calls: 1, outcome: { kind: "answer", from: "asked", text: mainText, warns: true } } },
  },
  {
    name: "half a JSON document is no answer",
    section: "3",
    model: "malformed-event",
    fallback: "other",
    conduct: { whole: nextAtOnce },
  },
  {
    name: "a reason for the end without an end marker is complete",
    section: "4",
    model: "no-end-marker",
    conduct: { streamed: { calls: 1, outcome: served("no-end-marker") } },
  },
  {
    name: "an end marker without a reason for the end is a broken stream",
    section: "4",
    model: "no-finish-reason",
    conduct: { streamed: { calls: 1, outcome: brokenOff } },
  },
  {
    name: "an error in the stream before any content falls over",
    section: "4",
    model: "error-first",
    fallback: "other",
    conduct: { streamed: { ...nextAtOnce, calls: [1, 3] } },
  },
  {
    name: "what a provider says twice is passed on twice, and ends once",
    section: "4",
    model: "duplicate-chunks",
    conduct: { streamed: { calls: 1, outcome: served("duplicate-chunks") } },
  },
  {
    name: "bytes that are no UTF-8 become replacement characters",
    section: "4",
    model: "invalid-utf8",
    conduct: {
      whole: { calls: 1, outcome: served("invalid-utf8") },
      streamed: { calls: 1, outcome: served("invalid-utf8") },
    },
  },
  {
    name: "a stream closed in the middle is told as broken, never as complete, and not asked again",
    section: "4",
    model: "cut-mid-stream",
    conduct: { streamed: { calls: 1, outcome: brokenOff } },
  },
  {
    name: "a stream that ends in the middle without a word is broken",
    section: "4",
    model: "ends-early",
    conduct: { streamed: { calls: 1, outcome: brokenOff } },
  },
  {
    name: "a stream reset in the middle is broken",
    section: "4",
    model: "reset-mid-stream",
    conduct: { streamed: { calls: 1, outcome: brokenOff } },
  },
  {
    name: "a stream that falls silent in the middle ends after the gap",
    section: "6.6",
    model: "stall-mid-stream",
    conduct: {
      streamed: {
        calls: 1,
        patience: "gap",
        outcome: { kind: "broken", code: "upstream_timeout", text: toldText },
      },
    },
  },
  {
    name: "an error in the middle of a stream is the provider's error",
    section: "4",
    model: "error-mid-stream",
    conduct: { streamed: { calls: 1, outcome: { kind: "broken", code: "upstream_error", text: toldText } } },
  },
  ...(["cut-mid-stream", "reset-mid-stream", "ends-early", "error-mid-stream", "no-finish-reason"] as const).map(
    (model): Scenario => ({
      name: `${model}: a fallback that begins the same is joined without a seam`,
      section: "6.8",
      model,
      fallback: "steady",
      needs: "recovery",
      conduct: { streamed: spliced },
    }),
  ),
  {
    name: "stall-mid-stream: a fallback that begins the same is joined after the gap",
    section: "6.8",
    model: "stall-mid-stream",
    fallback: "steady",
    needs: "recovery",
    conduct: { streamed: { ...spliced, patience: "gap" } },
  },
  {
    name: "a fallback that begins differently is asked to continue",
    section: "6.8",
    model: "cut-mid-stream",
    fallback: "prefill-accepts",
    needs: "prefill",
    conduct: {
      streamed: {
        calls: 1,
        fallbackCalls: [1, 2],
        outcome: { kind: "answer", from: "both", text: toldText + continuation },
      },
    },
  },
  {
    name: "a refusal to continue never hides the first failure",
    section: "6.8",
    model: "cut-mid-stream",
    fallback: "prefill-refuses",
    conduct: { streamed: { calls: 1, fallbackCalls: [0, 2], outcome: brokenOff } },
  },
  {
    name: "a fallback that fails in turn never hides the first failure",
    section: "6.8",
    model: "cut-mid-stream",
    fallback: "not-found",
    conduct: { streamed: { calls: 1, fallbackCalls: [0, 1], outcome: brokenOff } },
  },
  {
    name: "a stream of a tool call is not resumed",
    section: "6.8",
    model: "cut-tool-arguments",
    fallback: "steady",
    conduct: {
      streamed: {
        calls: 1,
        outcome: { kind: "broken", code: "upstream_stream_broken", text: behaviours["cut-tool-arguments"].text },
      },
    },
  },
];
