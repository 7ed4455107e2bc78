import { bothWays, failed, rescued, served, streamed } from "./outcomes.ts";
import type { Scenario } from "./scenario.ts";

/** What a circuit is for; played with as many requests as it takes. Silence is used to fail, since a silent stream is not asked again. */
export const circuitScenarios: readonly Scenario[] = [
  {
    name: "a target that keeps failing is left alone",
    section: "6.7",
    model: "unavailable",
    fallback: "other",
    needs: "circuit",
    rounds: [{ requests: 20 }],
    // Five failures open it: of tries, or of requests with their tries. Without a circuit it would be sixty calls.
    expectation: bothWays({ calls: [5, 17], fallbackCalls: 20, outcome: rescued }),
  },
  {
    name: "a half-open circuit lets one probe through, whoever else asks",
    section: "6.7",
    model: "silent",
    fallback: "other",
    needs: "circuit",
    rounds: [
      { requests: 5, isAtOnce: true, calls: 5 },
      { requests: 8, isAtOnce: true, begins: "after_cool_down", calls: 1 },
    ],
    expectation: streamed({ calls: 6, fallbackCalls: 13, outcome: rescued }),
  },
  {
    name: "a target that is well again gets its traffic back after one cool-down",
    section: "6.7",
    model: "silent-at-first@5",
    fallback: "other",
    needs: "circuit",
    rounds: [
      { requests: 5, isAtOnce: true, calls: 5 },
      { requests: 1, calls: 0 },
      { requests: 3, begins: "after_cool_down", calls: 3, outcome: served("silent-at-first") },
    ],
    expectation: streamed({ calls: 8, fallbackCalls: 6, outcome: rescued }),
  },
  {
    name: "open circuits without a fallback: the caller learns when to retry, and no provider is asked",
    section: "3",
    model: "silent",
    needs: "circuit",
    rounds: [
      { requests: 5, isAtOnce: true, calls: 5, outcome: failed(504, "upstream_timeout") },
      { requests: 3, calls: 0 },
    ],
    expectation: streamed({ calls: 5, outcome: { kind: "error", code: "circuit_open", status: 503, saysWhen: true } }),
  },
];
