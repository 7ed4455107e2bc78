import type { LogProbs } from "../../../engine/api/chat.ts";
import type { Annotation } from "../../../engine/api/message.ts";
import { isWholeObject } from "../shared/arguments.ts";
import { isBare, packDetail } from "../shared/envelope.ts";
import type { Part } from "../shared/parts.ts";

type ItemStatus = "in_progress" | "completed";

/** A source as the vendor has it. */
export interface UrlCitation {
  readonly type: "url_citation";
  readonly url: string;
  readonly title: string;
  readonly start_index: number;
  readonly end_index: number;
}

/** Annotations and log probabilities of a message's text. */
export interface TextExtras {
  readonly annotations: UrlCitation[];
  readonly logprobs: object[];
}

/** An item of the output; `extras` are those of a text. */
export interface Item {
  readonly id: string;
  readonly type:
    | "message"
    | "reasoning"
    | "function_call"
    | "custom_tool_call"
    | "tool_search_call"
    | "local_shell_call"
    | "shell_call"
    | "apply_patch_call";
  readonly [field: string]: unknown;
}

/** The item of a part, whole. */
export function wholeItem(part: Part, responseId: string, extras: TextExtras): Item {
  switch (part.kind) {
    case "thought":
      return reasoningItem(part, responseId);
    case "call":
      return callItem(part, responseId, "completed");
    default:
      return messageItem(part, responseId, { status: "completed", content: [contentPart(part, part.text, extras)] });
  }
}

/**
 * The item of a part of an answer that was cut short: a call says so whose arguments are not whole, of texts and thoughts the last, in
 * which the answer ended. A refusal is whole as it is.
 */
export function cutItem(item: Item, part: Part, last: Part | undefined): Item {
  const isCut =
    part.kind === "call" && !part.isCustom ? !isWholeObject(part.text) : part === last && part.kind !== "refusal";
  return isCut ? { ...item, status: "incomplete" } : item;
}

/** The item of a part that has just begun. */
export function newItem(part: Part, responseId: string): Item {
  switch (part.kind) {
    case "thought":
      return { id: itemId(part, responseId), type: "reasoning", summary: [], status: "in_progress" };
    case "call":
      return callItem({ ...part, text: "" }, responseId, "in_progress");
    default:
      return messageItem(part, responseId, { status: "in_progress", content: [] });
  }
}

const prefixes = { text: "msg", refusal: "msg", thought: "rs", call: "fc" } as const;

/** The id of a part's item: the same for every event about it. */
export function itemId({ kind, at }: Part, responseId: string): string {
  return `${prefixes[kind]}_${responseId.replace(/^resp_/, "")}_${at}`;
}

function messageItem(part: Part, responseId: string, rest: { status: ItemStatus; content: object[] }): Item {
  return { id: itemId(part, responseId), type: "message", role: "assistant", ...rest };
}

/** A text or a refusal as content of its message. */
export function contentPart({ kind }: Part, text: string, { annotations, logprobs }: TextExtras): object {
  return kind === "refusal" ? { type: "refusal", refusal: text } : { type: "output_text", text, annotations, logprobs };
}

/** True where the vendor calls a thought a summary. */
export function isSummary({ detail }: Part): boolean {
  return detail?.type === "reasoning.summary";
}

/** What must come back with the text travels in `encrypted_content`, requested or not: no other field survives. */
function reasoningItem(part: Part, responseId: string): Item {
  const { text, detail } = part;
  const contentParts = text === "" ? [] : [{ type: isSummary(part) ? "summary_text" : "reasoning_text", text }];
  const sealed = detail === undefined || isBare(detail) ? {} : { encrypted_content: packDetail(detail) };
  const content = isSummary(part)
    ? { summary: contentParts }
    : { summary: [], ...(contentParts.length === 0 ? {} : { content: contentParts }) };
  return { id: itemId(part, responseId), type: "reasoning", ...content, ...sealed, status: "completed" };
}

function callItem(part: Part, responseId: string, status: ItemStatus): Item {
  const { id, name, text, isCustom } = part;
  if (isCustom)
    return { id: itemId(part, responseId), type: "custom_tool_call", status, call_id: id, name, input: text };
  return { id: itemId(part, responseId), type: "function_call", status, call_id: id, name, arguments: text };
}

/** The pages among the sources. */
export function citationsOf(annotations: readonly Annotation[]): UrlCitation[] {
  return annotations.flatMap(({ url_citation: page }): UrlCitation[] => {
    if (page?.url === undefined) return [];
    const { url, title = "", start_index = 0, end_index = 0 } = page;
    return [{ type: "url_citation", url, title, start_index, end_index }];
  });
}

/** Log probabilities of a text, as the vendor has them. */
export function logProbsOf(content: LogProbs | null | undefined): object[] {
  return (content?.content ?? []).map(({ token, logprob, bytes, top_logprobs: others = [] }) => ({
    token,
    logprob,
    bytes: bytes ?? [],
    top_logprobs: others.map((other) => ({ token: other.token, logprob: other.logprob, bytes: other.bytes ?? [] })),
  }));
}
