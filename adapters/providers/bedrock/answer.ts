import type { ChatResponse } from "../../../src/api/chat.ts";
import { fromWire as fromMessage } from "../../shared/anthropic/from-wire.ts";
import type {
  WireCitation as MessageCitation,
  WireUsage as MessageUsage,
  WireBlock,
} from "../../shared/anthropic/wire.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { asideOf, reading, textOf } from "../../shared/chat/odd.ts";
import { isRecord } from "../../shared/http/fault.ts";
import type { AnswerBlock, ConverseAnswer, WireCitation, WireUsage } from "./wire.ts";

/** The answer of Converse; throws `upstream_invalid_response` when it is none. */
export const fromWire = reading(readWhole);

function readWhole(body: unknown, context: Translation): ChatResponse {
  const { output, stopReason, usage, serviceTier } = (isRecord(body) ? body : {}) as ConverseAnswer;
  const content = output?.message?.content;
  const blocks = Array.isArray(content) ? content.filter(isRecord).map(blockOf) : undefined;
  const told = { content: blocks, stop_reason: stopOf(stopReason), usage: usageOf(usage) };
  const answer = fromMessage(told, context);
  const tier = asideOf(serviceTier?.type);
  return tier === undefined ? answer : { ...answer, service_tier: tier };
}

const refusals = new Set(["content_filtered", "guardrail_intervened"]);

/** How an answer ended, in Anthropic's words, which are Converse's but for what is held back. */
export function stopOf(reason: string | undefined): string | undefined {
  return reason !== undefined && refusals.has(reason) ? "refusal" : reason;
}

/** A block as Anthropic has it; what has no name there keeps its own and is warned of. */
function blockOf(block: AnswerBlock): WireBlock {
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
export function citationOf({ title, source, location, sourceContent }: WireCitation): MessageCitation {
  const url = asideOf(location?.web?.url);
  return { ...(url === undefined ? {} : { url }), title: title ?? source ?? null, location, sourceContent };
}

/** Counts under Anthropic's names: cached reads and writes stand beside the input in both. */
export function usageOf(usage: WireUsage | null | undefined): MessageUsage | undefined {
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
