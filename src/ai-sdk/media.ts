import type { SharedV4FileData } from "@ai-sdk/provider";
import type { ContentPart } from "../engine/api/message.ts";

/** A file of the AI SDK. */
export interface SdkFile {
  readonly data: SharedV4FileData;
  readonly mediaType: string;
  readonly filename?: string | undefined;
}

/** A file of the AI SDK as a part of ours. */
export function toPart({ data, mediaType, filename }: SdkFile): ContentPart {
  if (data.type === "text") return { type: "text", text: data.text };
  const name = filename === undefined ? {} : { filename };
  if (data.type === "reference") {
    return { type: "file", file: { file_id: Object.values(data.reference)[0] ?? "", ...name } };
  }
  const isImage = mediaType.startsWith("image");
  if (data.type === "url") {
    const url = data.originalUrl ?? data.url.href;
    return isImage ? { type: "image_url", image_url: { url } } : { type: "file", file: { file_url: url, ...name } };
  }
  const base64 = typeof data.data === "string" ? data.data : Buffer.from(data.data).toString("base64");
  if (mediaType.startsWith("audio/")) {
    const format = mediaType === "audio/mpeg" ? "mp3" : mediaType.slice("audio/".length).replace(/^x-/, "");
    return { type: "input_audio", input_audio: { data: base64, format } };
  }
  const type = isImage && !mediaType.includes("/") ? "image/png" : mediaType.replace("image/*", "image/png");
  const url = `data:${type};base64,${base64}`;
  return isImage ? { type: "image_url", image_url: { url } } : { type: "file", file: { file_data: url, ...name } };
}

/** A part of ours that is no text as a file of the AI SDK; `undefined` for what it has no form of. */
export function toFile(part: ContentPart): SdkFile | undefined {
  switch (part.type) {
    case "image_url":
      return fileAt(part.image_url.url, "image/*");
    case "input_audio": {
      const { data, format } = part.input_audio;
      return { data: { type: "data", data }, mediaType: format === "mp3" ? "audio/mpeg" : `audio/${format}` };
    }
    case "file": {
      const { file_data, file_url, filename } = part.file;
      const address = file_data ?? file_url;
      const file = address === undefined ? undefined : fileAt(address, "application/pdf");
      return file && (filename === undefined ? file : { ...file, filename });
    }
    default:
      return undefined;
  }
}

/** What stands behind a link, or in a `data:` one. */
function fileAt(address: string, mediaType: string): SdkFile | undefined {
  const inline = /^data:([^;,]+)(?:;[^,]*)?;base64,(.*)$/s.exec(address);
  if (inline) return { data: { type: "data", data: inline[2] ?? "" }, mediaType: inline[1] ?? mediaType };
  const url = URL.parse(address);
  return url === null
    ? { data: { type: "data", data: address }, mediaType }
    : { data: { type: "url", url }, mediaType };
}
