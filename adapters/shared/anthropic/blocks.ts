import type { ChatResponse } from "../../../src/api/chat.ts";
import type { Annotation, ReasoningDetail, ToolCall } from "../../../src/api/message.ts";
import type { Translation } from "../chat/fields.ts";
import { isRecord } from "../http/fault.ts";
import { reasoningFormat } from "./conversation.ts";
import type { WireBlock, WireCitation, WireSearchResult, WireStop } from "./wire.ts";

/** One result of the vendor's web search. */
export type SearchResult = NonNullable<ChatResponse["search_results"]>[number];

/** How answers end, in the words of the wire; a word that is not here is passed on as it is. The last two are Bedrock's. */
const finishReasons = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["pause_turn", "length"],
  ["tool_use", "tool_calls"],
  ["refusal", "content_filter"],
  ["malformed_model_output", "error"],
  ["malformed_tool_use", "error"],
]);

/** The `finish_reason` of a stop; a paused turn counts as cut off, since it can be continued by sending it back. */
export function finishReasonOf({ stop_reason: reason }: WireStop, { call }: Translation): string | null {
  if (!reason) return null;
  if (reason === "pause_turn")
    call.warn("the model paused a long turn: send the conversation with its answer to continue");
  const known = finishReasons.get(reason) ?? reason;
  if (known === "error") call.warn(`the answer ended with ${reason}`);
  return known;
}

/** What the vendor says of a refusal, if it says anything. */
export function refusalOf({ stop_reason: reason, stop_details: details }: WireStop): string | undefined {
  return reason === "refusal" && details?.explanation ? details.explanation : undefined;
}

/** A reasoning detail of this vendor; `index` is its place among the thoughts, the text and the tool calls of the message. */
export function thoughtDetail(index: number, parts: { text?: string; signature?: string }): ReasoningDetail {
  return { type: "reasoning.text", index, format: reasoningFormat, ...parts };
}

export function redactedDetail(index: number, data: string): ReasoningDetail {
  return { type: "reasoning.encrypted", index, format: reasoningFormat, data };
}

export function toolCallOf({ id, name, input }: WireBlock): ToolCall {
  return { id: id ?? "", type: "function", function: { name: name ?? "", arguments: JSON.stringify(input ?? {}) } };
}

/** The sources of a text, with the place of the text in `content`: pages of the web, or files of the request. */
export function annotationsOf(citations: readonly WireCitation[], start: number, end: number): Annotation[] {
  return citations.map((citation): Annotation => {
    const url = citation.url ?? citation.source;
    if (!url) return { type: "file_citation", file_citation: citation, start_index: start, end_index: end };
    const titled = citation.title ? { title: citation.title } : {};
    return { type: "url_citation", url_citation: { start_index: start, end_index: end, url, ...titled } };
  });
}

/** The results that a search of the vendor's own found; its failure is a warning. */
export function searchResultsOf({ content }: WireBlock, { call }: Translation): SearchResult[] {
  if (isRecord(content)) call.warn(`the web search failed: ${String(content.error_code)}`);
  if (!Array.isArray(content)) return [];
  return (content as WireSearchResult[]).flatMap(({ type, url, title, page_age }) => {
    if (type !== "web_search_result" || !url) return [];
    return [{ url, ...(title ? { title } : {}), ...(page_age ? { date: page_age } : {}) }];
  });
}

/** Blocks of the vendor's own tools that an answer may hold and that have no place on the wire. */
const quiet = new Set(["server_tool_use"]);

/** Names a block that is left out, unless it says nothing to the caller. */
export function warnOfBlock({ type }: WireBlock, { call }: Translation): void {
  if (!quiet.has(String(type))) call.warn(`a block of type ${String(type)} in the answer is left out`);
}
