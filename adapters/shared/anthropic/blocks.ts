import type { ChatResponse, Ending } from "../../../src/engine/api/chat.ts";
import type { Annotation, FunctionToolCall } from "../../../src/engine/api/message.ts";
import { readEnding, readStopReason } from "../../../src/engine/dialects/anthropic/stop-reasons.ts";
import { isRecord, optionalText } from "../../../src/engine/dialects/wire-values.ts";
import type { Translation } from "../chat/fields.ts";
import { functionName } from "../chat/function-name.ts";
import type { WireBlock, WireCitation, WireSearchResult, WireStop } from "./wire.ts";

/** One result of the vendor's web search. */
export type WebSearchResult = NonNullable<ChatResponse["search_results"]>[number];

/** How a choice ended. */
export interface ChoiceEnding extends Ending {
  readonly finish_reason: string | null;
}

/** The end that a stop says; an unknown stop reason is passed on unchanged, an absent one is null. */
export function endingOf({ stop_reason: raw, stop_sequence: sequence }: WireStop, { call }: Translation): ChoiceEnding {
  const reason = optionalText(raw);
  if (reason === undefined) return { finish_reason: null };
  if (reason === "pause_turn")
    call.warn("the model paused a long turn: send the conversation with its answer to continue");
  const known = readStopReason(reason) ?? reason;
  if (known === "error") call.warn(`the answer ended with ${reason}`);
  return { finish_reason: known, ...readEnding(reason, optionalText(sequence)) };
}

/** The vendor's explanation of a refusal, if any. */
export function refusalOf({ stop_reason: reason, stop_details: details }: WireStop): string | undefined {
  return reason === "refusal" ? optionalText(details?.explanation) : undefined;
}

/** The call at a place among those of the message. */
export function toolCallOf(block: WireBlock, index: number, context: Translation): FunctionToolCall {
  const called = { name: functionName(block.name), arguments: JSON.stringify(block.input ?? {}) };
  return { id: callIdOf(block, index, context), type: "function", function: called };
}

/** A call without an identifier gets one, the same in whole answers and streams. */
export function callIdOf({ id }: WireBlock, index: number, { call }: Translation): string {
  return optionalText(id) ?? `call_${call.id}_0_${index}`;
}

/** The sources of a text, with the place of the text in `content`: pages of the web, or files of the request. */
export function annotationsOf(citations: readonly WireCitation[], start: number, end: number): Annotation[] {
  return citations.filter(isRecord).map((citation): Annotation => {
    const url = optionalText(citation.url) ?? optionalText(citation.source);
    if (url === undefined)
      return { type: "file_citation", file_citation: citation, start_index: start, end_index: end };
    const title = optionalText(citation.title);
    const titled = title === undefined ? {} : { title };
    return { type: "url_citation", url_citation: { start_index: start, end_index: end, url, ...titled } };
  });
}

/** The results that a search of the vendor's own found; its failure is a warning. */
export function searchResultsOf({ content }: WireBlock, { call }: Translation): WebSearchResult[] {
  if (isRecord(content)) call.warn(`the web search failed: ${optionalText(content.error_code) ?? "unknown"}`);
  if (!Array.isArray(content)) return [];
  return content.filter(isRecord).flatMap((found: WireSearchResult) => {
    const [url, title, date] = [optionalText(found.url), optionalText(found.title), optionalText(found.page_age)];
    if (found.type !== "web_search_result" || url === undefined) return [];
    return [{ url, ...(title === undefined ? {} : { title }), ...(date === undefined ? {} : { date }) }];
  });
}

/** Warns of a block that is left out. */
export function warnOfBlock({ type }: WireBlock, { call }: Translation): void {
  call.warn(`a block of type ${optionalText(type) ?? "unknown"} in the answer is left out`);
}
