import type { ChatResponse } from "../../../src/api/chat.ts";
import type { ChatMessage } from "../../../src/api/message.ts";
import { withResponse } from "../../../src/dialects/openai/native-response.ts";
import { isRecord, textOf } from "../../../src/dialects/wire-values.ts";
import { GatewayError } from "../../../src/errors.ts";
import { reading } from "../chat/lenient.ts";
import { readLogProbs } from "../openai-compatible/response/logprobs.ts";
import { envelopeOf, finishOf, type ResponseReading } from "./end.ts";
import { annotationOf, callOf, detailOf, isCall, thoughtOf } from "./output.ts";
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
    choices: [{ index: 0, finish_reason: finish, message: messageOf(items), ...(logprobs && { log_probs: logprobs }) }],
    ...(typeof raw.service_tier === "string" ? { service_tier: raw.service_tier } : {}),
    ...(usage === undefined ? {} : { usage }),
  };
  return context.call.responses === undefined ? answer : withResponse(answer, raw);
}

function invalid(provider: string, lack: string): GatewayError {
  return new GatewayError("upstream_invalid_response", `The answer of ${provider} ${lack}.`, { provider });
}

function messageOf(items: readonly Record<string, unknown>[]): ChatMessage {
  const parts = partsOf(items);
  const texts = parts.filter(({ type }) => type === "output_text").map(({ text }) => textOf(text));
  const refusal = parts.filter(({ type }) => type === "refusal").map((part) => textOf(part.refusal));
  const thoughts = items.filter(({ type }) => type === "reasoning");
  const thought = thoughts
    .map(thoughtOf)
    .filter((text) => text !== "")
    .join("\n\n");
  const details = thoughts.map((item) => detailOf(item, placeOf(items, item)));
  const annotations = parts.flatMap(({ annotations: list }) => (Array.isArray(list) ? list.flatMap(annotationOf) : []));
  const calls = items.filter(isCall).map(callOf);
  return {
    role: "assistant",
    content: texts.length === 0 ? null : texts.join(""),
    ...(refusal.length === 0 ? {} : { refusal: refusal.join("") }),
    ...(thought === "" ? {} : { reasoning: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** The place among the items that a chat has: the vendor's own tools leave none. */
function placeOf(items: readonly Record<string, unknown>[], item: Record<string, unknown>): number {
  const chatItems = items.filter((each) => each.type === "reasoning" || each.type === "message" || isCall(each));
  return chatItems.indexOf(item);
}

function partsOf(items: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return items.flatMap(({ type, content }) =>
    type === "message" && Array.isArray(content) ? content.filter(isRecord) : [],
  );
}

function logProbsIn(items: readonly Record<string, unknown>[]) {
  const content = partsOf(items).flatMap(({ logprobs }) => (Array.isArray(logprobs) ? logprobs : []));
  return content.length === 0 ? undefined : readLogProbs({ content });
}
