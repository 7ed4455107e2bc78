import type { ContentPart } from "../../api/message.ts";
import { dataUrl, type InlineContent, mediaTypeOf, readText } from "../content.ts";

/** Where the content of an image or a document is. */
export type MediaSource =
  | { readonly type: "base64"; readonly media_type: string; readonly data: string }
  | { readonly type: "text"; readonly media_type?: string | undefined; readonly data: string }
  | { readonly type: "url"; readonly url: string }
  | { readonly type: "file"; readonly file_id: string };

/** An image or a document without title and cache mark. */
export type MediaBlock =
  | { readonly type: "image"; readonly source: Exclude<MediaSource, { type: "text" }> }
  | { readonly type: "document"; readonly source: MediaSource };

type FileFields = Extract<ContentPart, { type: "file" }>["file"];

/** The block of inline content: images, PDF, and text of any kind. Returns `undefined` for a media type that the vendor does not read. */
export function writeInline({ mediaType, base64 }: InlineContent): MediaBlock | undefined {
  const source = { type: "base64", media_type: mediaType, data: base64 } as const;
  if (mediaType.startsWith("image/")) return { type: "image", source };
  if (mediaType === "application/pdf") return { type: "document", source };
  const data = readText({ mediaType, base64 });
  if (data === undefined) return undefined;
  return { type: "document", source: { type: "text", media_type: "text/plain", data } };
}

/** The block of a file that the vendor fetches or has stored; `undefined` for a file with neither address nor id. */
export function writeDistantFile({ file_id, file_url, filename }: FileFields): MediaBlock | undefined {
  if (file_id === undefined && file_url === undefined) return undefined;
  const isImage = mediaTypeOf(filename ?? file_url)?.startsWith("image/") === true;
  const source =
    file_id === undefined ? { type: "url" as const, url: file_url ?? "" } : { type: "file" as const, file_id };
  return { type: isImage ? "image" : "document", source };
}

/** The content part of an image. */
export function readImageSource(source: Exclude<MediaSource, { type: "text" }>): ContentPart {
  // The name is the one field of a file that can say that it is an image.
  if (source.type === "file") return { type: "file", file: { file_id: source.file_id, filename: "image.png" } };
  const url = source.type === "url" ? source.url : dataUrl(source.media_type, source.data);
  return { type: "image_url", image_url: { url } };
}

/** The file of a document. */
export function readDocumentSource(source: MediaSource): FileFields {
  switch (source.type) {
    case "url":
      return { file_url: source.url };
    case "file":
      return { file_id: source.file_id };
    case "base64":
      return { file_data: dataUrl(source.media_type, source.data) };
    case "text":
      return { file_data: dataUrl("text/plain", Buffer.from(source.data, "utf8").toString("base64")) };
  }
}

/** What a `tool_reference` says, where only a text can say it. */
export function referenceText(name: string): string {
  return `The tool ${name} can be called now.`;
}
