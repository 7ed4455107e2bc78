/** The content of a `data:` URL. */
export interface InlineContent {
  readonly mediaType: string;
  /** Base64. */
  readonly base64: string;
}

/** Reads a `data:` URL; `undefined` for any other text. Megabytes are sliced, not searched. */
export function readDataUrl(url: string): InlineContent | undefined {
  if (!/^data:/i.test(url)) return undefined;
  const comma = url.indexOf(",");
  if (comma === -1) return undefined;
  const [type = "", ...parameters] = url.slice("data:".length, comma).split(";");
  const mediaType = type === "" ? "text/plain" : (misnamed.get(type.toLowerCase()) ?? type.toLowerCase());
  const content = url.slice(comma + 1);
  if (parameters.some((parameter) => parameter.trim().toLowerCase() === "base64"))
    return { mediaType, base64: content };
  return { mediaType, base64: Buffer.from(percentDecoded(content), "utf8").toString("base64") };
}

/** What many clients write, and vendors refuse: the ending of a file's name for its type. */
const misnamed = new Map([["image/jpg", "image/jpeg"]]);

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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

/** The media type that a file name or the path of a URL ends in, if it is a usual one. */
export function mediaTypeOf(name: string | undefined): string | undefined {
  const extension = name === undefined ? undefined : /\.([a-z0-9]{2,4})(?:[?#].*)?$/i.exec(name)?.[1];
  return extension === undefined ? undefined : mediaTypes.get(extension.toLowerCase());
}
