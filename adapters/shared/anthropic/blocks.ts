import type { ChatResponse } from "../../../src/api/chat.ts";
import type { Annotation, ReasoningDetail, ToolCall } from "../../../src/api/message.ts";
import type { Translation } from "../chat/fields.ts";
import { asideOf, textOf } from "../chat/odd.ts";
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
export function finishReasonOf({ stop_reason: told }: WireStop, { call }: Translation): string | null {
  const reason = asideOf(told);
  if (reason === undefined) return null;
  if (reason === "pause_turn")
    call.warn("the model paused a long turn: send the conversation with its answer to continue");
  const known = finishReasons.get(reason) ?? reason;
  if (known === "error") call.warn(`the answer ended with ${reason}`);
  return known;
}

/** What the vendor says of a refusal, if it says anything. */
export function refusalOf({ stop_reason: reason, stop_details: details }: WireStop): string | undefined {
  return reason === "refusal" ? asideOf(details?.explanation) : undefined;
}

/** A reasoning detail of this vendor; `index` is its place among the thoughts, the text and the tool calls of the message. */
export function thoughtDetail(index: number, parts: { text?: string; signature?: string }): ReasoningDetail {
  return { type: "reasoning.text", index, format: reasoningFormat, ...parts };
}

export function redactedDetail(index: number, data: string): ReasoningDetail {
  return { type: "reasoning.encrypted", index, format: reasoningFormat, data };
}

/** The call at a place among those of the message. */
export function toolCallOf(block: WireBlock, index: number, context: Translation): ToolCall {
  const called = { name: textOf(block.name), arguments: JSON.stringify(block.input ?? {}) };
  return { id: callIdOf(block, index, context), type: "function", function: called };
}

/** A call without an identifier gets one, the same in whole answers and streams. */
export function callIdOf({ id }: WireBlock, index: number, { call }: Translation): string {
  return asideOf(id) ?? `call_${call.id}_0_${index}`;
}

/** The sources of a text, with the place of the text in `content`: pages of the web, or files of the request. */
export function annotationsOf(citations: readonly WireCitation[], start: number, end: number): Annotation[] {
  return citations.filter(isRecord).map((citation): Annotation => {
    const url = asideOf(citation.url) ?? asideOf(citation.source);
    if (url === undefined)
      return { type: "file_citation", file_citation: citation, start_index: start, end_index: end };
    const title = asideOf(citation.title);
    const titled = title === undefined ? {} : { title };
    return { type: "url_citation", url_citation: { start_index: start, end_index: end, url, ...titled } };
  });
}

/** The results that a search of the vendor's own found; its failure is a warning. */
export function searchResultsOf({ content }: WireBlock, { call }: Translation): SearchResult[] {
  if (isRecord(content)) call.warn(`the web search failed: ${asideOf(content.error_code) ?? "unknown"}`);
  if (!Array.isArray(content)) return [];
  return content.filter(isRecord).flatMap((found: WireSearchResult) => {
    const [url, title, date] = [asideOf(found.url), asideOf(found.title), asideOf(found.page_age)];
    if (found.type !== "web_search_result" || url === undefined) return [];
    return [{ url, ...(title === undefined ? {} : { title }), ...(date === undefined ? {} : { date }) }];
  });
}

/** Blocks of the vendor's own tools that an answer may hold and that have no place on the wire. */
const quiet = new Set(["server_tool_use"]);

/** Names a block that is left out, unless it says nothing to the caller. */
export function warnOfBlock({ type }: WireBlock, { call }: Translation): void {
  const kind = asideOf(type) ?? "unknown";
  if (!quiet.has(kind)) call.warn(`a block of type ${kind} in the answer is left out`);
}
