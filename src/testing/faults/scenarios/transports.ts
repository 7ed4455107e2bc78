import type { behaviours } from "../behaviours/behaviours.ts";
import { mainText } from "../behaviours/texts.ts";
import { bothWays, failed, nextAfterTries, nextAtOnce, rescued, secondTry, served } from "./outcomes.ts";
import type { Expectation, Scenario } from "./scenario.ts";

const timedOut: Expectation = { calls: 1, fallbackCalls: 1, timeouts: "firstContent", outcome: rescued };
/** A whole answer may come with its last token: only the request's own deadline ends the wait, and leaves no time for another. */
const wholeTimedOut: Expectation = { calls: 1, timeouts: "whole", outcome: failed(504, "upstream_timeout") };
const wellAtOnce = (behaviour: keyof typeof behaviours): Expectation => ({ calls: 1, outcome: served(behaviour) });

/** What connections that misbehave call for. */
export const transportScenarios: readonly Scenario[] = [
  {
    name: "a connection reset once is asked again after a back-off",
    section: "6.3",
    model: "reset-once",
    expectation: bothWays(secondTry("reset-once")),
  },
  {
    name: "connections reset every time move on after all tries",
    section: "6.4",
    model: "reset-before-headers",
    fallback: "other",
    expectation: bothWays(nextAfterTries),
  },
  {
    name: "connections reset every time without a fallback: unreachable",
    section: "3",
    model: "reset-before-headers",
    expectation: bothWays({ calls: "every_try", pauses: "back_off", outcome: failed(502, "upstream_unreachable") }),
  },
  {
    name: "an answer that is lost on the way, before any content reached the caller, falls over",
    section: "4",
    model: "reset-mid-body",
    fallback: "other",
    expectation: bothWays({ calls: [1, 3], fallbackCalls: 1, outcome: rescued }),
  },
  {
    name: "a stream silent until its timeout is not asked again; the next candidate is",
    section: "6.3",
    model: "silent",
    fallback: "other",
    expectation: { streamed: timedOut },
  },
  {
    name: "a silent route without a fallback: a timeout after one call",
    section: "6.6",
    model: "silent",
    expectation: { streamed: { calls: 1, timeouts: "firstContent", outcome: failed(504, "upstream_timeout") } },
  },
  {
    name: "a whole answer that does not come is waited for until the deadline of the request",
    section: "6.6",
    model: "silent",
    fallback: "other",
    needs: "short_deadline",
    expectation: { whole: wholeTimedOut },
  },
  {
    name: "a stream that shows a sign of life and then none is silent from there on",
    section: "6.6",
    model: "chatter-only",
    fallback: "other",
    expectation: { streamed: timedOut },
  },
  {
    name: "a slow first token within the limit is waited for; no other provider is asked",
    section: "6.6",
    model: "slow-first-token@200",
    fallback: "other",
    expectation: bothWays(wellAtOnce("slow-first-token")),
  },
  {
    name: "a hang-up ends the provider's call; no other provider is asked",
    section: "6.4",
    model: "silent",
    fallback: "other",
    rounds: [{ requests: 1, hangsUpAfter: 150 }],
    expectation: bothWays({ calls: 1, outcome: failed(undefined, "request_cancelled") }),
  },
  {
    name: "half a whole answer and then silence: only the deadline of the request ends the wait",
    section: "6.6",
    model: "stall-mid-stream",
    fallback: "other",
    needs: "short_deadline",
    expectation: { whole: wholeTimedOut },
  },
  {
    name: "half an answer and the connection closed: lost, so asked again, then the next",
    section: "6.3",
    model: "cut-mid-stream",
    fallback: "other",
    expectation: { whole: nextAfterTries },
  },
  {
    name: "half an answer that claims to be whole cannot be read",
    section: "3",
    model: "ends-early",
    fallback: "other",
    expectation: { whole: nextAtOnce },
  },
  { name: "a compressed answer is read", section: "4", model: "gzip", expectation: bothWays(wellAtOnce("gzip")) },
  {
    name: "an answer that keeps coming may take longer than its first bytes may",
    section: "6.6",
    model: "trickled@40",
    expectation: { whole: wellAtOnce("trickled") },
  },
  {
    name: "an answer in crumbs is read",
    section: "4",
    model: "trickled",
    expectation: bothWays(wellAtOnce("trickled")),
  },
  {
    name: "a mebibyte on one line is read",
    section: "4",
    model: "huge-line",
    expectation: bothWays(wellAtOnce("huge-line")),
  },
  {
    name: "a line without end is given up, not collected for ever",
    section: "3",
    model: "endless-line",
    fallback: "other",
    expectation: bothWays(nextAtOnce),
  },
  {
    name: "a good answer under the wrong content type does no harm",
    section: "3",
    model: "wrong-content-type",
    fallback: "steady",
    expectation: bothWays({
      calls: 1,
      fallbackCalls: [0, 1],
      outcome: { kind: "answer", from: "either", text: mainText },
    }),
  },
  {
    name: "an empty body is no answer",
    section: "3",
    model: "empty-body",
    fallback: "other",
    expectation: bothWays({ ...nextAtOnce, calls: [1, 3] }),
  },
];
