import type { ChatMessage, ReasoningDetail, ToolCall } from "../../../src/engine/api/message.ts";
import { readDataUrl } from "../../../src/engine/dialects/content.ts";
import { imageId, reasoningFormat } from "../../../src/engine/dialects/gemini/reasoning.ts";
import { inOrder, type Positioned } from "../../../src/engine/dialects/order.ts";
import { invalidRequest, unsupported } from "../../../src/engine/dialects/refusals.ts";
import { argumentsOf } from "../chat/call-arguments.ts";
import { ownReasoning } from "../chat/reasoning.ts";
import type { MediaContext } from "./media.ts";
import { joinTexts, signedTexts, type TextSignature } from "./signed-texts.ts";
import type { GeminiTraits } from "./traits.ts";
import type { WirePart } from "./wire.ts";

/** What the vendor documents for calls that another model made: their turn is taken without a signature's proof. */
const foreignSignature = "skip_thought_signature_validator";

interface TurnSignatures {
  readonly byId: ReadonlyMap<string, string>;
  readonly ofText: readonly TextSignature[];
  readonly thoughts: readonly Positioned<WirePart[]>[];
}

/** The parts of a past answer in order, images before its calls, each signature byte for byte on the part that it came with. */
export function writeModelTurn(message: ChatMessage, context: MediaContext & { traits: GeminiTraits }): WirePart[] {
  if (message.audio) throw unsupported(`${context.path}.audio`, `of an answer cannot be sent to ${context.provider}.`);
  const signatures = signaturesOf(message, context);
  const calls = callsOf(message, signatures.byId, context).map((part, at) => {
    return { index: message.tool_calls?.[at]?.index, block: [part] };
  });
  const blocks = inOrder({
    thoughts: signatures.thoughts,
    texts: signedTexts(message, signatures.ofText, context),
    calls,
  });
  const firstCall = blocks.findIndex(([part]) => part?.functionCall !== undefined);
  blocks.splice(firstCall < 0 ? blocks.length : firstCall, 0, imagesOf(message, signatures.byId, context));
  return joinTexts(blocks.flat());
}

function signaturesOf(message: ChatMessage, context: MediaContext): TurnSignatures {
  const byId = new Map<string, string>();
  const ofText: TextSignature[] = [];
  const thoughts: Positioned<WirePart[]>[] = [];
  for (const detail of ownReasoning(message, reasoningFormat, context)) {
    const { type, id, data, text, signature, index } = detail;
    if (type === "reasoning.encrypted" && data && id) byId.set(id, data);
    else if (type === "reasoning.encrypted" && data) ofText.push({ index, end: endOf(detail), signature: data });
    // ai.google.dev, "Thinking": thought blocks are neither to be removed from the history nor changed, signed or not.
    else if (text || signature) {
      const part = { text: text ?? "", thought: true, ...(signature ? { thoughtSignature: signature } : {}) };
      thoughts.push({ index, block: [part] });
    }
  }
  return { byId, ofText, thoughts };
}

/** Without an end the signature stands behind all of the text. */
function endOf({ end_index: end }: ReasoningDetail): number {
  return typeof end === "number" ? end : Number.POSITIVE_INFINITY;
}

function imagesOf(
  { images }: ChatMessage,
  byId: TurnSignatures["byId"],
  { path, provider, call }: MediaContext,
): WirePart[] {
  if (!Array.isArray(images)) return [];
  return images.flatMap((image: { image_url?: { url?: unknown } }, at) => {
    const inline = readDataUrl(String(image?.image_url?.url ?? ""), "caller");
    if (inline === undefined) {
      call.warn(`\`${path}.images\` other than data URLs are not sent to ${provider}`);
      return [];
    }
    return [signed({ inlineData: { mimeType: inline.mediaType, data: inline.base64 } }, byId.get(imageId(at)))];
  });
}

function callsOf(
  message: ChatMessage,
  byId: TurnSignatures["byId"],
  context: MediaContext & { traits: GeminiTraits },
): WirePart[] {
  const parts = (message.tool_calls ?? []).map((call, at) =>
    writeCall(call, byId, { ...context, path: `${context.path}.tool_calls.${at}` }),
  );
  const [first, ...rest] = parts;
  if (first === undefined || !context.traits.isThird || first.thoughtSignature !== undefined) return parts;
  context.call.warn(
    `\`${context.path}.tool_calls\` come without the signature that ${context.call.model} gave or another model made them`,
  );
  return [{ ...first, thoughtSignature: foreignSignature }, ...rest];
}

function writeCall(call: ToolCall, byId: TurnSignatures["byId"], context: MediaContext): WirePart {
  const { id, type, function: called } = call;
  const { path } = context;
  if (type !== undefined && type !== "function")
    throw unsupported(path, `of type ${type} cannot be sent to this provider.`);
  if (!called?.name) throw invalidRequest(`${path}.function.name`, "is missing.");
  const args = argumentsOf(call, context);
  const functionCall = { ...(id ? { id } : {}), name: called.name, args };
  return signed({ functionCall }, id === undefined ? undefined : byId.get(id));
}

function signed(part: WirePart, signature: string | undefined): WirePart {
  return signature === undefined ? part : { ...part, thoughtSignature: signature };
}
