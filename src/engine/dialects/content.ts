/** The content of a `data:` URL. */
export interface InlineContent {
  readonly mediaType: string;
  readonly base64: string;
}

/** Who wrote a URL: a caller's must be well-formed, a vendor's is read as far as it can be. */
export type UrlAuthor = "caller" | "vendor";

/** Inline content as a `data:` URL. */
export function dataUrl(mediaType: string, base64: string): string {
  return `data:${mediaType};base64,${base64}`;
}

/** True for a text that is meant as a `data:` URL, well-formed or not. */
function isDataUrl(text: string): boolean {
  return /^data:/i.test(text);
}

/**
 * Reads a `data:` URL, in base64 or percent-encoded; scheme, media type and `;base64` in any case. Returns `undefined` for any other text,
 * and for a caller's URL whose percent-encoding is broken; a vendor's is then taken as it stands. Base64 is not decoded: it may be megabytes.
 */
export function readDataUrl(url: string, author: UrlAuthor): InlineContent | undefined {
  const comma = isDataUrl(url) ? url.indexOf(",") : -1;
  if (comma === -1) return undefined;
  const [type = "", ...parameters] = url.slice("data:".length, comma).split(";");
  const mediaType = type === "" ? "text/plain" : (misnamed.get(type.toLowerCase()) ?? type.toLowerCase());
  const content = url.slice(comma + 1);
  if (parameters.some((parameter) => parameter.trim().toLowerCase() === "base64"))
    return { mediaType, base64: content };
  const text = percentDecoded(content) ?? (author === "vendor" ? content : undefined);
  return text === undefined ? undefined : { mediaType, base64: Buffer.from(text, "utf8").toString("base64") };
}

/** Types that many clients write and vendors refuse: a file's extension instead of its type. */
const misnamed = new Map([["image/jpg", "image/jpeg"]]);

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The content of a caller's `file_data`: a `data:` URL, or base64 of type `mediaType`. Returns `undefined` for a malformed URL. */
export function readInlineFile(fileData: string, mediaType: string): InlineContent | undefined {
  return isDataUrl(fileData) ? readDataUrl(fileData, "caller") : { mediaType, base64: fileData };
}

/** The text of inline content of a textual type; `undefined` for any other. */
export function readText({ mediaType, base64 }: InlineContent): string | undefined {
  return isTextual(mediaType) ? Buffer.from(base64, "base64").toString("utf8") : undefined;
}

/** True for a media type whose content is text. */
export function isTextual(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json";
}

const mediaTypes = new Map([
  ["pdf", "application/pdf"],
  ["txt", "text/plain"],
  ["md", "text/markdown"],
  ["csv", "text/csv"],
  ["html", "text/html"],
  ["json", "application/json"],
  ["xml", "text/xml"],
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["heic", "image/heic"],
  ["heif", "image/heif"],
  ["wav", "audio/wav"],
  ["mp3", "audio/mp3"],
  ["aiff", "audio/aiff"],
  ["aac", "audio/aac"],
  ["ogg", "audio/ogg"],
  ["flac", "audio/flac"],
  ["mp4", "video/mp4"],
  ["mov", "video/mov"],
  ["webm", "video/webm"],
]);

/** The media type of a file name or URL by its extension; `undefined` when the extension is absent or unknown. */
export function mediaTypeOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const end = name.search(/[?#]/);
  const path = end === -1 ? name : name.slice(0, end);
  const dot = path.lastIndexOf(".");
  return dot === -1 ? undefined : mediaTypes.get(path.slice(dot + 1).toLowerCase());
}
