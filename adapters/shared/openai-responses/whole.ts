import type { ChatResponse } from "../../../src/engine/api/chat.ts";
import { withResponse } from "../../../src/engine/dialects/openai/native-response.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import { reading } from "../chat/lenient.ts";
import { readLogProbs } from "../openai-compatible/response/logprobs.ts";
import { envelopeOf, finishOf, type ResponseReading } from "./end.ts";
import { messageOf, partsOf } from "./message.ts";
import { readResponseUsage } from "./usage.ts";

/** A whole response as a chat answer; the response itself goes with it for callers of the same interface. */
export const readResponse = reading(readWhole);

function readWhole(raw: unknown, context: ResponseReading): ChatResponse {
  const { provider } = context;
  if (!isRecord(raw)) throw invalid(provider, "is no object");
  const finish = finishOf(raw, context);
  if (!Array.isArray(raw.output)) throw invalid(provider, "has no output");
  const items = raw.output.filter(isRecord);
  const usage = readResponseUsage(raw);
  const logprobs = logProbsIn(items);
  const answer: ChatResponse = {
    ...envelopeOf(raw, context),
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason: finish,
        message: messageOf(items),
        ...(logprobs && { log_probs: logprobs }),
      },
    ],
    ...(typeof raw.service_tier === "string" ? { service_tier: raw.service_tier } : {}),
    ...(usage === undefined ? {} : { usage }),
  };
  return context.call.responses === undefined ? answer : withResponse(answer, raw);
}

function invalid(provider: string, lack: string): GatewayError {
  return new GatewayError("upstream_invalid_response", `The answer of ${provider} ${lack}.`, { provider });
}

function logProbsIn(items: readonly Record<string, unknown>[]) {
  const content = partsOf(items).flatMap(({ logprobs }) => (Array.isArray(logprobs) ? logprobs : []));
  return content.length === 0 ? undefined : readLogProbs({ content });
}
