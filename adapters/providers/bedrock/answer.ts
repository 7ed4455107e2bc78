import type { ChatResponse } from "../../../src/engine/api/chat.ts";
import type { AnthropicWireUsage as MessageUsage } from "../../../src/engine/dialects/anthropic/usage.ts";
import { isRecord, optionalText, textOf } from "../../../src/engine/dialects/wire-values.ts";
import { fromWire as fromMessage } from "../../shared/anthropic/from-wire.ts";
import type { WireCitation as MessageCitation, WireBlock } from "../../shared/anthropic/wire.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { reading } from "../../shared/chat/lenient.ts";
import type { ConverseAnswer, ConverseCitation, ConverseContentBlock, ConverseUsage } from "./wire.ts";

/** Reads the answer of Converse; throws `upstream_invalid_response` when it holds no message. */
export const fromWire = reading(readWhole);

function readWhole(body: unknown, context: Translation): ChatResponse {
  const {
    output,
    stopReason,
    usage,
    serviceTier,
    additionalModelResponseFields: extras,
  } = (isRecord(body) ? body : {}) as ConverseAnswer;
  const content = output?.message?.content;
  const blocks = Array.isArray(content) ? content.filter(isRecord).map(blockOf) : undefined;
  const raw = {
    content: blocks,
    stop_reason: stopOf(stopReason),
    stop_sequence: sequenceOf(extras),
    usage: usageOf(usage),
  };
  const answer = fromMessage(raw, context);
  const tier = optionalText(serviceTier?.type);
  return tier === undefined ? answer : { ...answer, service_tier: tier };
}

const refusals = new Set(["content_filtered", "guardrail_intervened"]);

/** How an answer ended, in Anthropic's words, which are Converse's but for what is held back. */
export function stopOf(reason: string | undefined): string | undefined {
  return reason !== undefined && refusals.has(reason) ? "refusal" : reason;
}

/** The stop sequence that a model met, where it said so. */
export function sequenceOf(extras: unknown): string | null {
  return optionalText(isRecord(extras) ? extras.stop_sequence : undefined) ?? null;
}

/** A block as Anthropic has it; what has no name there keeps its own and is warned of. */
function blockOf(block: ConverseContentBlock): WireBlock {
  const { text, toolUse, reasoningContent: thought, citationsContent: cited } = block;
  if (text !== undefined) return { type: "text", text };
  if (toolUse)
    return { type: "tool_use", id: toolUse.toolUseId ?? null, name: toolUse.name ?? null, input: toolUse.input };
  if (thought?.redactedContent) return { type: "redacted_thinking", data: thought.redactedContent };
  if (thought) {
    const { text: thinking = "", signature = "" } = thought.reasoningText ?? {};
    return { type: "thinking", thinking, signature };
  }
  if (cited) {
    const texts = (cited.content ?? []).map((part) => textOf(part.text));
    return { type: "text", text: texts.join(""), citations: (cited.citations ?? []).map(citationOf) };
  }
  return { type: Object.keys(block)[0] ?? "unknown" };
}

/** A source; `source` names a document here, where Anthropic has an address under that name. */
export function citationOf({ title, source, location, sourceContent }: ConverseCitation): MessageCitation {
  const url = optionalText(location?.web?.url);
  return { ...(url === undefined ? {} : { url }), title: title ?? source ?? null, location, sourceContent };
}

/** The counts under Anthropic's names: both exclude cached reads and writes from the input. */
export function usageOf(usage: ConverseUsage | null | undefined): MessageUsage | undefined {
  if (!usage) return undefined;
  const hourly = usage.cacheDetails?.find(({ ttl }) => ttl === "1h")?.inputTokens;
  return {
    input_tokens: usage.inputTokens ?? null,
    output_tokens: usage.outputTokens ?? null,
    cache_read_input_tokens: usage.cacheReadInputTokens ?? null,
    cache_creation_input_tokens: usage.cacheWriteInputTokens ?? null,
    ...(hourly === undefined ? {} : { cache_creation: { ephemeral_1h_input_tokens: hourly } }),
  };
}
