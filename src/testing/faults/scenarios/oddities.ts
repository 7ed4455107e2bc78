import { parallelCalls, thoughts } from "../behaviours/oddities.ts";
import { firstText } from "../behaviours/texts.ts";
import { bothWays, nextAtOnce, rescued, served, streamed } from "./outcomes.ts";
import type { Scenario } from "./scenario.ts";

const withThoughts = served("interleaved-thinking", { reasoning: thoughts.join("") });

const withCalls = served("index-zero-for-all", {
  calls: parallelCalls.map(({ name, pieces }) => `${name}(${pieces.join("")})`),
});

/** What vendors' oddities call for. */
export const oddityScenarios: readonly Scenario[] = [
  {
    name: "alive but silent: signs of life without content are waited for within the bound, then the next candidate is asked",
    section: "6.6",
    model: "alive-but-silent",
    fallback: "other",
    needs: "content_deadline",
    expectation: streamed({ ...nextAtOnce, timeouts: "firstContentMax" }),
  },
  {
    name: "thoughts between the parts of an answer stay thoughts, in their order",
    section: "4",
    model: "interleaved-thinking",
    expectation: bothWays({ calls: 1, outcome: withThoughts }),
  },
  {
    name: "a second answer inside a stream is never joined to the first",
    section: "4",
    model: "spliced-stream",
    dialects: ["anthropic"],
    expectation: streamed({
      calls: 1,
      outcome: { kind: "broken", code: "upstream_invalid_response", text: firstText },
    }),
  },
  {
    name: "parallel tool calls that all have index 0 stay apart",
    section: "4",
    model: "index-zero-for-all",
    dialects: ["openai"],
    expectation: streamed({ calls: 1, outcome: withCalls }),
  },
  {
    name: "a target that is back after twelve cool-downs is used again within one, after at most ten tries",
    section: "6.7",
    model: "down-for",
    lasts: 12,
    fallback: "other",
    needs: "bounded_circuit",
    // One request each four seconds at a cool-down of five: an outage of a minute.
    rounds: [
      { requests: 15, spacing: 0.8, calls: [5, 10] },
      { requests: 1, begins: "after_cool_down", calls: 1, outcome: served("down-for") },
    ],
    expectation: bothWays({ calls: [6, 11], fallbackCalls: 15, outcome: rescued }),
  },
];
