import type { ReasoningDetail } from "../../../../engine/api/message.ts";
import { readDataUrl } from "../../../../engine/dialects/content.ts";
import { imageId, reasoningFormat } from "../../../../engine/dialects/gemini/reasoning.ts";
import { parseArguments } from "../../../../engine/runtime/json/exact-json.ts";
import { isBare, packDetail, withText } from "../../shared/envelope.ts";
import type { Part } from "../../shared/parts.ts";
import type { GenaiPart } from "../schema.ts";

/** Signatures of an answer that belong to something else than a thought. */
export interface AnswerSignatures {
  /** By the id of a call or an image. */
  readonly byId: Map<string, string>;
  /** Those of text, with the end of the text that each stands behind. */
  readonly ofText: { readonly end: number; readonly data: string }[];
  /** Another vendor's thought, sent again with the call that follows it: clients such as gemini-cli keep the signatures of calls and drop thoughts. */
  carried: ReasoningDetail | undefined;
}

export function newSignatures(): AnswerSignatures {
  return { byId: new Map(), ofText: [], carried: undefined };
}

/** Sets a signature aside that belongs to a call, an image or a text; false for a detail that is a thought of its own. */
export function takeSignature({ detail }: Part, { byId, ofText }: AnswerSignatures): boolean {
  if (detail?.type !== "reasoning.encrypted" || detail.format !== reasoningFormat || !detail.data) return false;
  const { id, data, end_index: end } = detail;
  if (id) byId.set(id, data);
  else ofText.push({ end: typeof end === "number" ? end : Number.POSITIVE_INFINITY, data });
  return true;
}

/** The part that ends a thought: its signature, or what of another vendor's thought must come back. */
export function signedThought({ text, detail }: Part, isShown: boolean, signatures: AnswerSignatures): GenaiPart[] {
  if (detail === undefined) return [];
  if (!isOwn(detail) && !isBare(detail, reasoningFormat)) signatures.carried = withText(detail, text);
  const whole = isShown ? detail : withText(detail, text);
  const thoughtSignature =
    isOwn(detail) && isShown ? detail.signature : isBare(detail, reasoningFormat) ? undefined : packDetail(whole);
  return thoughtSignature ? [{ text: "", thought: true, thoughtSignature }] : [];
}

function isOwn({ type, format, id, data }: ReasoningDetail): boolean {
  return type === "reasoning.text" && format === reasoningFormat && !id && !data;
}

/** A piece of text that begins at `start`, cut where signatures stand; those that are used up leave the list. */
export function signText(text: string, start: number, { ofText }: AnswerSignatures): GenaiPart[] {
  const parts: GenaiPart[] = [];
  let written = 0;
  for (let [next] = ofText; next !== undefined && next.end <= start + text.length; [next] = ofText) {
    const end = Math.max(written, next.end - start);
    parts.push({ text: text.slice(written, end), thoughtSignature: next.data });
    written = end;
    ofText.shift();
  }
  return written < text.length ? [...parts, { text: text.slice(written) }] : parts;
}

/** Signatures of text that never reached the end they belong to: they follow the whole text. */
export function leftSignatures({ ofText }: AnswerSignatures): GenaiPart[] {
  return ofText.splice(0).map(({ data }) => ({ text: "", thoughtSignature: data }));
}

/** True for a call whose arguments are no object. */
export function isBroken({ kind, text }: Part): boolean {
  return kind === "call" && parseArguments(text) === undefined;
}

/** A call, whole; arguments that are no object are left out. */
export function callPart({ id, name, text }: Part, signatures: AnswerSignatures): GenaiPart {
  const { byId, carried } = signatures;
  signatures.carried = undefined;
  const functionCall = { ...(id === "" ? {} : { id }), name, args: parseArguments(text) ?? {} };
  const signature = byId.get(id) ?? (carried && packDetail(carried));
  return signature === undefined ? { functionCall } : { functionCall, thoughtSignature: signature };
}

/** The inline images of an answer; all others are left out. */
export function imageParts(images: unknown, { byId }: AnswerSignatures): GenaiPart[] {
  if (!Array.isArray(images)) return [];
  return images.flatMap((image: { image_url?: { url?: unknown } } | null, at): GenaiPart[] => {
    const inline = readDataUrl(String(image?.image_url?.url ?? ""), "vendor");
    if (inline === undefined) return [];
    const signature = byId.get(imageId(at));
    const inlineData = { mimeType: inline.mediaType, data: inline.base64 };
    return [signature === undefined ? { inlineData } : { inlineData, thoughtSignature: signature }];
  });
}
