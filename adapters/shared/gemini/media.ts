import type { ContentPart } from "../../../src/engine/api/message.ts";
import { mediaTypeOf, readDataUrl, readInlineFile } from "../../../src/engine/dialects/content.ts";
import { invalidRequest, unsupported } from "../../../src/engine/dialects/refusals.ts";
import type { Translation } from "../chat/fields.ts";
import type { WirePart } from "./wire.ts";

/** Where content stands in the request, e.g. `messages.3`, and where the vendor keeps files that were uploaded. */
export interface MediaContext extends Translation {
  readonly path: string;
  /** Base URL of uploaded files, ending in `/v1beta/`. */
  readonly filesUrl: string;
}

type GeminiPartOf<Type extends ContentPart["type"]> = Extract<ContentPart, { type: Type }>;

/** One part of a user's or a tool's content; empty texts are left out. */
export function writePart(part: ContentPart, context: MediaContext): WirePart[] {
  if (part.cache_control)
    context.call.warn(`\`${context.path}.cache_control\` is not supported by ${context.provider}`);
  switch (part.type) {
    case "text":
      return textParts(part.text);
    case "refusal":
      return textParts(part.refusal);
    case "image_url":
      return [writeImage(part, context)];
    case "input_audio":
      return [writeAudio(part)];
    case "file":
      return [writeFile(part, context)];
  }
}

export function textParts(text: string): WirePart[] {
  return text === "" ? [] : [{ text }];
}

function writeImage(
  { image_url: { url, detail } }: GeminiPartOf<"image_url">,
  { path, provider, call }: MediaContext,
): WirePart {
  if (detail !== undefined && detail !== "auto")
    call.warn(`\`${path}.image_url.detail\` is not supported by ${provider}`);
  const inline = readDataUrl(url, "caller");
  if (inline !== undefined) return inlinePart(inline.mediaType, inline.base64);
  if (!/^(https?|gs):/i.test(url))
    throw unsupported(`${path}.image_url.url`, "must be an http, https, gs or data URL.");
  return distantPart(url, mediaTypeOf(url));
}

function writeAudio({ input_audio: { data, format } }: GeminiPartOf<"input_audio">): WirePart {
  return inlinePart(`audio/${format.toLowerCase()}`, data);
}

function writeFile({ file }: GeminiPartOf<"file">, { path, filesUrl, provider, call }: MediaContext): WirePart {
  const { file_data, file_id, file_url, filename } = file;
  if (filename !== undefined) call.warn(`\`${path}.file.filename\` is not supported by ${provider}`);
  const named = mediaTypeOf(filename);
  if (file_data !== undefined) {
    const inline = readInlineFile(file_data, named ?? "application/pdf");
    if (inline === undefined) throw invalidRequest(`${path}.file.file_data`, "is not a well-formed data URL.");
    return inlinePart(inline.mediaType, inline.base64);
  }
  if (file_url !== undefined) return distantPart(file_url, named ?? mediaTypeOf(file_url));
  if (file_id === undefined) throw invalidRequest(`${path}.file`, "needs `file_data`, `file_id` or `file_url`.");
  const name = file_id.startsWith("files/") ? file_id : `files/${file_id}`;
  return distantPart(/^[a-z]+:\/\//i.test(file_id) ? file_id : `${filesUrl}${name}`, named);
}

function inlinePart(mimeType: string, data: string): WirePart {
  return { inlineData: { mimeType, data } };
}

function distantPart(fileUri: string, mimeType: string | undefined): WirePart {
  return { fileData: mimeType === undefined ? { fileUri } : { mimeType, fileUri } };
}
