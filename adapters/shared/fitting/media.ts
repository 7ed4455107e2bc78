import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ChatMessage, ContentPart } from "../../../src/engine/api/message.ts";
import { mediaTypeOf, readInlineFile, readText } from "../../../src/engine/dialects/content.ts";
import { unsupported } from "../../../src/engine/dialects/refusals.ts";
import type { RewriteContext, Rewriter } from "./rewritten.ts";

/** What a vendor takes next to text and inline images. */
export interface MediaRule {
  readonly audio?: boolean;
  /** Images by their address. */
  readonly distantImages?: boolean;
  /** Media types of files with their content; files of text go to all. */
  readonly files?: RegExp;
  /** Files by their address or by an id of the vendor's. */
  readonly distantFiles?: boolean;
}

/** Whom media are left out for. */
type MediaTarget = Pick<RewriteContext, "provider" | "call">;

/** A rewriter for a vendor that does not take all media. */
export function withoutMedia(rule: MediaRule): Rewriter {
  return (request, context) => {
    const written = leavingOut(request, rule, context);
    if (written === request) return undefined;
    return { request: written, answer: (answer) => answer, chunks: () => (chunk) => chunk };
  };
}

/**
 * The request with a text in the place of each part that the vendor does not take, and a warning; the same one where it takes all.
 * Where another candidate is left, that one is asked instead: it may take it.
 */
export function leavingOut(request: ChatRequest, rule: MediaRule, context: MediaTarget): ChatRequest {
  if (!request.messages.some((message) => holdsUntaken(message, rule))) return request;
  const messages = request.messages.map((message, at) => {
    if (!holdsUntaken(message, rule)) return message;
    const { content, audio, ...rest } = message;
    const parts = Array.isArray(content) ? content : content ? [{ type: "text" as const, text: content }] : [];
    const written = parts.map((part, place) =>
      isTaken(part, rule) ? part : standIn(part, { ...context, path: `messages.${at}.content.${place}` }),
    );
    if (!audio || rule.audio) return { ...message, content: written };
    leave(`messages.${at}.audio`, context);
    const spoken = audio.transcript ? [{ type: "text" as const, text: audio.transcript }] : [];
    return { ...rest, content: [...written, ...spoken] };
  });
  return { ...request, messages };
}

function holdsUntaken({ content, audio }: ChatMessage, rule: MediaRule): boolean {
  if (audio && !rule.audio) return true;
  return Array.isArray(content) && content.some((part) => !isTaken(part, rule));
}

function isTaken(part: ContentPart, rule: MediaRule): boolean {
  switch (part.type) {
    case "text":
    case "refusal":
      return true;
    case "image_url":
      return rule.distantImages === true || /^data:/i.test(part.image_url.url);
    case "input_audio":
      return rule.audio === true;
    case "file":
      return isFileTaken(part, rule);
  }
}

type FilePart = Extract<ContentPart, { type: "file" }>;

function isFileTaken({ file }: FilePart, rule: MediaRule): boolean {
  const { file_data: data, file_id, file_url, filename } = file;
  if (data === undefined) return rule.distantFiles === true || (file_id ?? file_url) === undefined; // one without anything is an error
  const inline = readInlineFile(data, mediaTypeOf(filename) ?? "application/pdf");
  return inline === undefined || rule.files?.test(inline.mediaType) === true || readText(inline) !== undefined;
}

/** The text in the place of a part; an address is not lost. */
function standIn(part: ContentPart, context: MediaTarget & { readonly path: string }): ContentPart {
  leave(context.path, context);
  return { type: "text", text: `[${nameOf(part)} was left out here: it cannot be read]` };
}

function nameOf(part: ContentPart): string {
  if (part.type === "image_url") return `The image ${part.image_url.url}`;
  if (part.type !== "file") return "A recording";
  const { filename, file_url: url } = part.file;
  return ["The file", filename, url].filter((word) => word !== undefined).join(" ");
}

function leave(path: string, { provider, call }: MediaTarget): void {
  const problem = `cannot be sent to ${provider}, which does not take it`;
  if (call.hasFallback) throw unsupported(path, `${problem}.`);
  call.warn(`\`${path}\` is left out: it ${problem}`);
}
