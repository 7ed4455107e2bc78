import type { ReasoningDetail } from "../../../api/message.ts";
import { parseArguments } from "../../../ports/exact-json.ts";
import { readDataUrl } from "../shared/content.ts";
import { isBare, packDetail, withText } from "../shared/envelope.ts";
import type { Part } from "../shared/parts.ts";
import type { GenaiPart } from "./schema.ts";
import { imageId, reasoningFormat } from "./turn.ts";

/** Signatures of an answer that belong to something else than a thought. */
export interface Signatures {
  /** By the id of a call or an image. */
  readonly byId: Map<string, string>;
  /** Those of text, with the end of the text that each stands behind. */
  readonly ofText: { readonly end: number; readonly data: string }[];
}

export function newSignatures(): Signatures {
  return { byId: new Map(), ofText: [] };
}

/** Sets a signature aside that belongs to a call, an image or a text; false for a detail that is a thought of its own. */
export function takeSignature({ detail }: Part, { byId, ofText }: Signatures): boolean {
  if (detail?.type !== "reasoning.encrypted" || detail.format !== reasoningFormat || !detail.data) return false;
  const { id, data, end_index: end } = detail;
  if (id) byId.set(id, data);
  else ofText.push({ end: typeof end === "number" ? end : Number.POSITIVE_INFINITY, data });
  return true;
}

/** The part that ends a thought: its signature, or what of another vendor's thought must come back. */
export function signedThought({ text, detail }: Part, isShown: boolean): GenaiPart[] {
  if (detail === undefined) return [];
  const whole = isShown ? detail : withText(detail, text);
  const thoughtSignature =
    isOwn(detail) && isShown ? detail.signature : isBare(detail, reasoningFormat) ? undefined : packDetail(whole);
  return thoughtSignature ? [{ text: "", thought: true, thoughtSignature }] : [];
}

function isOwn({ type, format, id, data }: ReasoningDetail): boolean {
  return type === "reasoning.text" && format === reasoningFormat && !id && !data;
}

/** A piece of text that begins at `start`, cut where signatures stand; those that are used up leave the list. */
export function signText(text: string, start: number, { ofText }: Signatures): GenaiPart[] {
  const parts: GenaiPart[] = [];
  let told = 0;
  for (let [next] = ofText; next !== undefined && next.end <= start + text.length; [next] = ofText) {
    const end = Math.max(told, next.end - start);
    parts.push({ text: text.slice(told, end), thoughtSignature: next.data });
    told = end;
    ofText.shift();
  }
  return told < text.length ? [...parts, { text: text.slice(told) }] : parts;
}

/** Signatures of text that did not meet the end they were told for: they stand behind all of it. */
export function leftSignatures({ ofText }: Signatures): GenaiPart[] {
  return ofText.splice(0).map(({ data }) => ({ text: "", thoughtSignature: data }));
}

/** True for a call whose arguments are no object. */
export function isBroken({ kind, text }: Part): boolean {
  return kind === "call" && parseArguments(text) === undefined;
}

/** A call, whole; arguments that are no object are left out. */
export function callPart({ id, name, text }: Part, { byId }: Signatures): GenaiPart {
  const functionCall = { ...(id === "" ? {} : { id }), name, args: parseArguments(text) ?? {} };
  const signature = byId.get(id);
  return signature === undefined ? { functionCall } : { functionCall, thoughtSignature: signature };
}

/** The images of an answer; what is none, or lies elsewhere, is left out. */
export function imageParts(images: unknown, { byId }: Signatures): GenaiPart[] {
  if (!Array.isArray(images)) return [];
  return images.flatMap((image: { image_url?: { url?: unknown } } | null, at): GenaiPart[] => {
    const inline = readDataUrl(String(image?.image_url?.url ?? ""));
    if (inline === undefined) return [];
    const signature = byId.get(imageId(at));
    const inlineData = { mimeType: inline.mediaType, data: inline.base64 };
    return [signature === undefined ? { inlineData } : { inlineData, thoughtSignature: signature }];
  });
}
