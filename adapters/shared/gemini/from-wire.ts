import type { ChatResponse } from "../../../src/api/chat.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { Translation } from "../chat/fields.ts";
import { withoutNullsWithin } from "../chat/nulls.ts";
import { asideOf, reading } from "../chat/odd.ts";
import { isRecord } from "../http/fault.ts";
import { answerReader } from "./answer.ts";
import { toUsage } from "./usage.ts";

/** The answer of `generateContent`; throws `upstream_invalid_response` when it holds neither a candidate nor a reason for none. */
export const fromWire = reading(readWhole);

function readWhole(body: unknown, context: Translation): ChatResponse {
  const reader = answerReader(context);
  const told = withoutNullsWithin(body, "args");
  const steps = isRecord(told) ? reader.read(told) : [];
  const ends = reader.ends();
  if (ends.length === 0) {
    throw new GatewayError("upstream_invalid_response", `The answer of ${context.provider} holds no candidate.`);
  }
  const { id, model, usage: wire } = reader.said;
  const { results, queries } = reader.searches();
  const usage = toUsage(wire, queries);
  const tier = asideOf(wire?.serviceTier);
  return {
    id,
    object: "chat.completion",
    created: Math.floor(context.call.startedAt / 1000),
    model,
    choices: ends.map(({ index, message, reason }) => {
      const logProbs = steps.find((step) => step.index === index)?.logProbs;
      return { index, finish_reason: reason, message, ...(logProbs === undefined ? {} : { log_probs: logProbs }) };
    }),
    ...(tier === undefined ? {} : { service_tier: tier }),
    ...(usage === undefined ? {} : { usage }),
    ...(results.length === 0 ? {} : { search_results: results }),
  };
}
