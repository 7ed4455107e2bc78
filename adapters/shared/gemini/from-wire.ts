import type { ChatResponse } from "../../../src/engine/api/chat.ts";
import { readUsage } from "../../../src/engine/dialects/gemini/usage.ts";
import { withCompleteCalls } from "../../../src/engine/dialects/openai/complete-calls.ts";
import { isRecord, optionalText } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Translation } from "../chat/fields.ts";
import { reading } from "../chat/lenient.ts";
import { withoutNullsWithin } from "../chat/without-nulls.ts";
import { answerReader } from "./answer.ts";

/** The answer of `generateContent`; throws `upstream_invalid_response` when it holds neither a candidate nor a reason for none. */
export const fromWire = reading(readWhole);

function readWhole(body: unknown, context: Translation): ChatResponse {
  const reader = answerReader(context);
  const raw = withoutNullsWithin(body, "args");
  const steps = isRecord(raw) ? reader.read(raw) : [];
  const ends = reader.ends();
  if (ends.length === 0) {
    throw new GatewayError("upstream_invalid_response", `The answer of ${context.provider} holds no candidate.`);
  }
  const { id, model, usage: wire } = reader.reported;
  const { results, queries } = reader.searches();
  const usage = readUsage(wire, queries);
  const tier = optionalText(wire?.serviceTier);
  return {
    id,
    object: "chat.completion",
    created: Math.floor(context.call.startedAt / 1000),
    model,
    choices: ends.map(({ index, message: read, reason }) => {
      const message = withCompleteCalls(read, `${id}_${index}`);
      const logProbs = steps.find((step) => step.index === index)?.logProbs;
      return { index, finish_reason: reason, message, ...(logProbs === undefined ? {} : { log_probs: logProbs }) };
    }),
    ...(tier === undefined ? {} : { service_tier: tier }),
    ...(usage === undefined ? {} : { usage }),
    ...(results.length === 0 ? {} : { search_results: results }),
  };
}
