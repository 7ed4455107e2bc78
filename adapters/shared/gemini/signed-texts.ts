import type { ChatMessage, ContentPart } from "../../../src/engine/api/message.ts";
import { type Positioned, textsOf } from "../../../src/engine/dialects/order.ts";
import { unsupported } from "../../../src/engine/dialects/refusals.ts";
import type { MediaContext } from "./media.ts";
import type { WirePart } from "./wire.ts";

/** The signature of a text, with the end of the text that it stands behind and its own place. */
export interface TextSignature {
  readonly index: number;
  readonly end: number;
  readonly signature: string;
}

interface Text {
  readonly index: number | undefined;
  readonly text: string;
}

/** The texts of a message with their places, cut where signatures stand; a refusal is the last one. */
export function signedTexts(
  message: ChatMessage,
  signatures: readonly TextSignature[],
  context: MediaContext,
): Positioned<WirePart[]>[] {
  const texts = unsignedTexts(message, context);
  const alone = signatures.filter(({ index }) => standsAlone(index, texts));
  return [
    ...cut(
      texts,
      signatures.filter((each) => !alone.includes(each)),
    ),
    ...alone.map(({ index, signature }) => ({ index, block: [{ text: "", thoughtSignature: signature }] })),
  ];
}

function unsignedTexts(message: ChatMessage, context: MediaContext): Text[] {
  const { refusal } = message;
  const texts: Text[] = textsOf(message).map(({ index, block }, at) => ({ index, text: textOf(block, at, context) }));
  if (refusal) texts.push({ index: Number.MAX_SAFE_INTEGER, text: refusal });
  return texts;
}

/** The parts with successive texts that nothing signs as one. */
export function joinTexts(parts: readonly WirePart[]): WirePart[] {
  const joined: WirePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last && isPlain(last) && isPlain(part)) joined[joined.length - 1] = { text: `${last.text}${part.text}` };
    else joined.push(part);
  }
  return joined;
}

function isPlain(part: WirePart): boolean {
  return part.text !== undefined && Object.keys(part).length === 1;
}

/** True for a signature that came without text at a place of its own. */
function standsAlone(index: number, texts: readonly Text[]): boolean {
  return texts.every((text) => text.index !== undefined && text.index !== index);
}

function cut(texts: readonly Text[], signatures: readonly TextSignature[]): Positioned<WirePart[]>[] {
  const whole = texts.map(({ text }) => text).join("");
  const waiting = [...signatures];
  let start = 0;
  let end = 0;
  return texts.map(({ index, text }) => {
    end += text.length;
    const block: WirePart[] = [];
    for (let [next] = waiting; next !== undefined && Math.min(next.end, whole.length) <= end; [next] = waiting) {
      const to = Math.max(start, Math.min(next.end, end));
      block.push({ text: whole.slice(start, to), thoughtSignature: next.signature });
      start = to;
      waiting.shift();
    }
    if (start < end) block.push({ text: whole.slice(start, end) });
    start = end;
    return { index, block };
  });
}

function textOf(part: ContentPart, at: number, { path, provider, call }: MediaContext): string {
  if (part.cache_control) call.warn(`\`${path}.content.${at}.cache_control\` is not supported by ${provider}`);
  if (part.type === "text") return part.text;
  if (part.type === "refusal") return part.refusal;
  throw unsupported(`${path}.content.${at}`, `of type ${part.type} cannot be sent to ${provider} in this role.`);
}
