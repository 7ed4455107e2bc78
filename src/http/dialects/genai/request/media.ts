import type { ContentPart } from "../../../../engine/api/message.ts";
import { dataUrl } from "../../../../engine/dialects/content.ts";
import { invalidRequest } from "../../../../engine/dialects/refusals.ts";
import type { FieldPath } from "../../shared/translation-warnings.ts";
import type { GenaiPart } from "../schema.ts";

/** The kinds of audio that others call by another name. */
const audioFormats: Readonly<Record<string, string>> = { mpeg: "mp3", "x-wav": "wav", wave: "wav" };

/** One part of a user's turn; `field.path` is its path. Empty texts are dropped. */
export function readUserPart(part: GenaiPart, field: FieldPath): ContentPart[] {
  const { text, inlineData, fileData } = part;
  if (inlineData !== undefined) return [readInline(inlineData)];
  if (fileData !== undefined) return [readDistant(fileData)];
  if (text !== undefined) return text === "" ? [] : [{ type: "text", text }];
  const [kind] = Object.keys(part);
  if (kind === undefined) return [];
  throw invalidRequest(`${field.path}.${kind}`, "cannot be sent in this role.");
}

/** Inline content as a part of ours. */
function readInline({ mimeType, data }: NonNullable<GenaiPart["inlineData"]>): ContentPart {
  const [kind, subtype = ""] = mimeType.toLowerCase().split("/");
  if (kind === "image") return { type: "image_url", image_url: { url: dataUrl(mimeType, data) } };
  if (kind === "audio") return { type: "input_audio", input_audio: { data, format: audioFormats[subtype] ?? subtype } };
  return { type: "file", file: { file_data: dataUrl(mimeType, data) } };
}

function readDistant({ mimeType = "", fileUri }: NonNullable<GenaiPart["fileData"]>): ContentPart {
  const [kind, subtype = ""] = mimeType.toLowerCase().split("/");
  if (kind === "image") return { type: "image_url", image_url: { url: fileUri } };
  const ending = subtype === "plain" ? "txt" : subtype;
  const named = /^[a-z0-9]{2,4}$/.test(ending) ? { filename: `file.${ending}` } : {};
  return { type: "file", file: { file_url: fileUri, ...named } };
}
