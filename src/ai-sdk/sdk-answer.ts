import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  SharedV4Warning,
} from "@ai-sdk/provider";
import type { ChatChunk, ChatResponse, ChunkChoice } from "../engine/api/chat.ts";
import type { ChatMessage, ReasoningDetail } from "../engine/api/message.ts";
import { withCompleteCalls } from "../engine/dialects/openai/complete-calls.ts";
import type { ProviderCall } from "../engine/ports/provider.ts";
import { marker } from "./prompt.ts";
import { fromSdkFinish, fromSdkUsage } from "./usage.ts";

/** An answer of the AI SDK's model as ours. */
export function fromResult(result: LanguageModelV4GenerateResult, call: ProviderCall): ChatResponse {
  warnOf(result.warnings, call);
  const { id = call.id, modelId = call.model, timestamp } = result.response ?? {};
  const usage = fromSdkUsage(result.usage);
  const choice = {
    index: 0,
    finish_reason: fromSdkFinish(result.finishReason),
    message: withCompleteCalls(fromContent(result.content), `${id}_0`),
  };
  return {
    id,
    object: "chat.completion",
    created: seconds(timestamp?.getTime() ?? call.startedAt),
    model: modelId,
    choices: [choice],
    ...(usage ? { usage } : {}),
  };
}

function fromContent(content: readonly LanguageModelV4Content[]): ChatMessage {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const thoughts = content.filter((part) => part.type === "reasoning");
  const details = thoughts.flatMap(fromReasoning);
  const calls = content.flatMap((part) => {
    if (part.type !== "tool-call") return [];
    const { toolCallId: id, toolName: name, input } = part;
    return [{ id, type: "function", function: { name, arguments: input } }];
  });
  const annotations = content.flatMap((part) => {
    if (part.type !== "source" || part.sourceType !== "url") return [];
    const title = part.title === undefined ? {} : { title: part.title };
    return [{ type: "url_citation", url_citation: { url: part.url, ...title } }];
  });
  return {
    role: "assistant",
    content: texts.length === 0 ? null : texts.join(""),
    ...(thoughts.length === 0 ? {} : { reasoning: thoughts.map(({ text }) => text).join("") }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(annotations.length === 0 ? {} : { annotations: annotations as NonNullable<ChatMessage["annotations"]> }),
  };
}

/** The model's metadata of a thought, e.g. its signature, in a form that goes back to it unchanged. */
function fromReasoning({ providerMetadata }: { readonly providerMetadata?: object }): ReasoningDetail[] {
  if (providerMetadata === undefined) return [];
  return [{ type: "reasoning.encrypted", data: marker + JSON.stringify(providerMetadata) }];
}

function warnOf(warnings: readonly SharedV4Warning[], call: ProviderCall): void {
  for (const warning of warnings) {
    if (warning.type === "other") call.warn(warning.message);
    else if (warning.type === "deprecated") call.warn(`\`${warning.setting}\`: ${warning.message}`);
    else call.warn(`\`${warning.feature}\` is not supported${warning.details ? `: ${warning.details}` : ""}`);
  }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}

/** A stream of the AI SDK's parts as our chunks; returns when it is complete, throws what the model calls an error. */
export async function* fromParts(parts: AsyncIterable<LanguageModelV4StreamPart>, call: ProviderCall) {
  const head = { id: call.id, object: "chat.completion.chunk", created: seconds(call.startedAt), model: call.model };
  const positions = new Map<string, number>();
  const chunk = (choices: ChunkChoice[]): ChatChunk => ({ ...head, choices });
  for await (const part of parts) {
    if (part.type === "error") throw part.error;
    if (part.type === "stream-start") warnOf(part.warnings, call);
    if (part.type === "response-metadata") {
      if (part.id !== undefined) head.id = part.id;
      if (part.modelId !== undefined) head.model = part.modelId;
    }
    if (part.type === "finish") {
      yield chunk([{ index: 0, finish_reason: fromSdkFinish(part.finishReason), delta: {} }]);
      const usage = fromSdkUsage(part.usage);
      if (usage) yield { ...chunk([]), usage };
      return;
    }
    const delta = deltaOf(part, positions);
    if (delta) yield chunk([{ index: 0, finish_reason: null, delta }]);
  }
}

function deltaOf(part: LanguageModelV4StreamPart, positions: Map<string, number>): ChunkChoice["delta"] | undefined {
  switch (part.type) {
    case "text-delta":
      return { content: part.delta };
    case "reasoning-delta":
      return { reasoning: part.delta };
    case "reasoning-end": {
      const details = fromReasoning(part);
      return details.length === 0 ? undefined : { reasoning_details: details };
    }
    case "tool-input-start": {
      const index = positions.size;
      positions.set(part.id, index);
      return {
        tool_calls: [{ index, id: part.id, type: "function", function: { name: part.toolName, arguments: "" } }],
      };
    }
    case "tool-input-delta":
      return { tool_calls: [{ index: positions.get(part.id) ?? 0, function: { arguments: part.delta } }] };
    case "tool-call": {
      if (positions.has(part.toolCallId)) return undefined; // it came piece by piece
      const index = positions.size;
      positions.set(part.toolCallId, index);
      const called = { name: part.toolName, arguments: part.input };
      return { tool_calls: [{ index, id: part.toolCallId, type: "function", function: called }] };
    }
    default:
      return undefined;
  }
}
