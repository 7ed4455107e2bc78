import type { LanguageModelV4Content, SharedV4ProviderMetadata, SharedV4Warning } from "@ai-sdk/provider";
import type { ChatResponse } from "../engine/api/chat.ts";
import type { ExtraFields } from "../engine/api/common.ts";
import type { ChatMessage } from "../engine/api/message.ts";
import type { Usage } from "../engine/api/usage.ts";

/** The message of an answer as the AI SDK's content: thoughts, text, sources, tool calls. */
export function toSdkContent({ message }: ChatResponse["choices"][number]): LanguageModelV4Content[] {
  const { content, reasoning, reasoning_details: details, tool_calls, annotations } = message;
  const parts: LanguageModelV4Content[] = [];
  if (reasoning || details?.length) parts.push({ type: "reasoning", text: reasoning ?? "", ...detailed(details) });
  const text = typeof content === "string" ? content : (content ?? []).map(textOf).join("");
  if (text !== "") parts.push({ type: "text", text });
  else if (message.refusal) parts.push({ type: "text", text: message.refusal });
  parts.push(...sourcesOf(annotations));
  for (const [index, { id = `call_${index}`, function: called }] of (tool_calls ?? []).entries()) {
    parts.push({
      type: "tool-call",
      toolCallId: id,
      toolName: called?.name ?? "",
      input: called?.arguments || "{}",
    });
  }
  return parts;
}

function textOf(part: Exclude<NonNullable<ChatMessage["content"]>, string>[number]): string {
  return part.type === "text" ? part.text : "";
}

/** Blocks that have to go back with the next request travel in the metadata. */
export function detailed(details: ChatMessage["reasoning_details"]): { providerMetadata?: SharedV4ProviderMetadata } {
  return details?.length ? { providerMetadata: { tollgate: { reasoning_details: details as never } } } : {};
}

/** The pages that an answer cites. */
export function sourcesOf(annotations: ChatMessage["annotations"]): LanguageModelV4Content[] {
  return (annotations ?? []).flatMap(({ url_citation: cited }, index): LanguageModelV4Content[] => {
    if (cited?.url === undefined) return [];
    const title = typeof cited.title === "string" ? { title: cited.title } : {};
    return [{ type: "source", sourceType: "url", id: `source_${index}`, url: cited.url, ...title }];
  });
}

/** Who served, what it cost and how long it took, under `providerMetadata.tollgate`. */
export function toMetadata(extra: ExtraFields | undefined, usage: Usage | undefined): SharedV4ProviderMetadata {
  const { warnings: _sent, ...fields } = extra ?? {};
  return { tollgate: { ...fields, ...(usage?.cost ? { cost: usage.cost } : {}) } as never }; // all of it is JSON
}

export function toSdkWarnings(extra: ExtraFields | undefined): SharedV4Warning[] {
  return (extra?.warnings ?? []).map((message) => ({ type: "other", message }));
}
