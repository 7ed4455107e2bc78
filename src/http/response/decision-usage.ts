import type { DecisionResponse } from "../../engine/api/decisions.ts";
import type { Usage } from "../../engine/api/usage.ts";
import { writeResponseUsage } from "../../engine/dialects/openai/usage.ts";

const noUsage: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

/** The usage of a decision as OpenAI's clients require it; zeros where the provider reports none. */
export function writeDecisionUsage(usage: Usage | undefined) {
  return writeResponseUsage(usage ?? noUsage);
}

/** A decision with OpenAI's names of the usage next to ours, so that clients of either read it. */
export function withDecisionUsage(answer: DecisionResponse): DecisionResponse {
  const { usage } = answer;
  return usage ? { ...answer, usage: { ...writeDecisionUsage(usage), ...usage } } : answer;
}
