import type { Annotation, ReasoningDetail } from "../../../src/api/message.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import type { WireCitation } from "./wire.ts";

/** Marks reasoning details as this vendor's, so that no other is sent them. */
export const reasoningFormat = "cohere-v2";

/** A thought, by its number among the thoughts of the message. */
export function thoughtDetail(index: number, text: string): ReasoningDetail {
  return { type: "reasoning.text", index, text, format: reasoningFormat };
}

/** Where in the message's text its parts begin: the plan first, then the blocks of the content by their index. */
export interface TextStarts {
  readonly blocks: ReadonlyMap<number, number>;
}

/** A citation in our words, its place counted in the whole text; `undefined` for one of thoughts, which have no such places. */
export function annotationOf(citation: WireCitation, { blocks }: TextStarts): Annotation | undefined {
  if (citation.type === "THINKING_CONTENT") return undefined;
  const { sources = [], content_index: block = 0, start = 0, end = start } = citation;
  const from = citation.type === "PLAN" ? 0 : (blocks.get(block) ?? 0);
  const isPlaced = Number.isSafeInteger(start) && Number.isSafeInteger(end);
  const pages = sources.map(({ document, tool_output: output }) => document ?? output ?? {});
  const url = firstText(pages.map((page) => page.url));
  const title = firstText(pages.map((page) => page.title));
  const cited = { ...(isPlaced ? { start_index: from + start, end_index: from + end } : {}), sources };
  return {
    type: "url_citation",
    url_citation: { ...cited, ...(url === undefined ? {} : { url }), ...(title === undefined ? {} : { title }) },
  };
}

function firstText(values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value !== "");
}

const finishReasons = new Map([
  ["COMPLETE", "stop"],
  ["STOP_SEQUENCE", "stop"],
  ["MAX_TOKENS", "length"],
  ["TOOL_CALL", "tool_calls"],
]);

/** Reasons that are no end of an answer, with the status that a request which fails so has. */
export const failures: ReadonlyMap<string, number> = new Map([
  ["ERROR", 500],
  ["TIMEOUT", 504],
]);

/** How an answer ended, in our words; a reason of tomorrow is an end all the same, and told. */
export function finishReasonOf(reason: string | undefined, { call }: Translation): string | null {
  if (reason === undefined) return null;
  const known = finishReasons.get(reason);
  if (known === undefined) call.warn(`the finish reason ${JSON.stringify(reason)} is unknown and taken for an end`);
  return known ?? "stop";
}
