import { bothWays, failed, rescued, served } from "./outcomes.ts";
import type { Scenario } from "./scenario.ts";

/** What asking two at once is for. */
export const hedgeScenarios: readonly Scenario[] = [
  {
    name: "hedged: a silent target is given up for the next one, which is asked before any timeout passes",
    section: "6.10",
    model: "silent",
    fallback: "other",
    needs: "hedge",
    expectation: bothWays({ calls: 1, fallbackCalls: 1, loser: "primary", outcome: rescued }),
  },
  {
    name: "hedged: a slow target that answers first after all is the one that is heard",
    section: "6.10",
    model: "slow-first-token@900",
    fallback: "silent",
    needs: "hedge",
    expectation: bothWays({ calls: 1, fallbackCalls: 1, loser: "fallback", outcome: served("slow-first-token") }),
  },
  {
    name: "hedged: a target that answers in time is the only one that is asked",
    section: "6.10",
    model: "steady",
    fallback: "other",
    needs: "hedge",
    expectation: bothWays({ calls: 1, outcome: served("steady") }),
  },
  {
    name: "hedged: a stream that has begun may take its time",
    section: "6.10",
    model: "trickled@3",
    fallback: "other",
    needs: "hedge",
    expectation: { streamed: { calls: 1, outcome: served("trickled") } },
  },
  {
    name: "hedged: a hang-up ends both calls",
    section: "6.10",
    model: "slow-first-token@2500",
    fallback: "silent",
    needs: "hedge",
    rounds: [{ requests: 1, hangsUpAfter: 900 }],
    expectation: bothWays({
      calls: 1,
      fallbackCalls: 1,
      loser: "both",
      outcome: failed(undefined, "request_cancelled"),
    }),
  },
];
