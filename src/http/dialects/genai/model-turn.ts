import type { ChatMessage, ReasoningDetail, ToolCall } from "../../../engine/api/message.ts";
import { dataUrl } from "../../../engine/dialects/content.ts";
import { imageId, reasoningFormat } from "../../../engine/dialects/gemini/reasoning.ts";
import { type PlaceList, placeList } from "../../../engine/dialects/order.ts";
import { invalidRequest } from "../../../engine/dialects/refusals.ts";
import { unpackDetail } from "../shared/envelope.ts";
import { type FieldPath, warnUnsupportedFields } from "../shared/translation-warnings.ts";
import type { GenaiPart } from "./schema.ts";

/** The parts of a past answer while they are read. */
export interface ModelTurn {
  /** Reads one part; `field.path` is its path. */
  read(part: GenaiPart, field: FieldPath): void;
  message(): ChatMessage;
}

interface ModelTurnReading {
  text: string;
  thought: string;
  /** Thoughts since the last signature. */
  unsigned: string;
  readonly places: PlaceList;
  readonly details: ReasoningDetail[];
  readonly calls: ToolCall[];
  readonly images: object[];
}

/** A reader of one past answer, which may be spread over several contents. Calls without an id get one from `nameCall`. */
export function modelTurn(nameCall: (at: number) => string): ModelTurn {
  const reading: ModelTurnReading = {
    text: "",
    thought: "",
    unsigned: "",
    places: placeList(),
    details: [],
    calls: [],
    images: [],
  };
  return {
    read: (part, field) => readPart(reading, part, { ...field, nameCall }),
    message: () => messageOf(reading),
  };
}

interface PartContext extends FieldPath {
  readonly nameCall: (at: number) => string;
}

function readPart(reading: ModelTurnReading, part: GenaiPart, field: PartContext): void {
  const { functionCall, inlineData, thought, text, thoughtSignature } = part;
  if (functionCall !== undefined) readCall(reading, part, field);
  else if (inlineData !== undefined) readImage(reading, part, field);
  else if (thought === true) readThought(reading, part);
  else if (text !== undefined || thoughtSignature !== undefined) readText(reading, part);
  else warnOfOther(part, field);
}

function readCall(
  reading: ModelTurnReading,
  { functionCall: called, thoughtSignature }: GenaiPart,
  { nameCall }: PartContext,
): void {
  const id = called?.id ?? nameCall(reading.calls.length);
  const named = { name: called?.name ?? "", arguments: JSON.stringify(called?.args ?? {}) };
  const carried = thoughtSignature === undefined ? undefined : unpackDetail(thoughtSignature, "");
  if (carried !== undefined) addCarriedThought(reading, carried);
  const index = reading.places.call();
  reading.calls.push({ id, type: "function", function: named });
  if (carried === undefined) sign(reading, thoughtSignature, { index, id });
}

/** Adds a thought that came with a call, perhaps behind the text that followed it, unless the client sent the thought itself as well. */
function addCarriedThought(reading: ModelTurnReading, detail: ReasoningDetail): void {
  const { signature, data } = detail;
  if (reading.details.some((known) => known.signature === signature && known.data === data)) return;
  reading.thought += detail.text ?? detail.summary ?? "";
  reading.details.push({ ...detail, index: reading.places.lateThought(detail.index) });
}

function readImage(reading: ModelTurnReading, { inlineData, thoughtSignature }: GenaiPart, { path }: FieldPath): void {
  const { mimeType = "", data = "" } = inlineData ?? {};
  if (!mimeType.startsWith("image/")) throw invalidRequest(`${path}.inlineData`, "of an answer can only be an image.");
  sign(reading, thoughtSignature, { index: reading.places.other(), id: imageId(reading.images.length) });
  reading.images.push({ type: "image_url", image_url: { url: dataUrl(mimeType, data) } });
}

/** Thoughts are one with those before them up to a signature; those that none vouches for are text only. */
function readThought(reading: ModelTurnReading, { text = "", thoughtSignature: signature }: GenaiPart): void {
  reading.unsigned += text;
  reading.thought += text;
  if (signature === undefined) return;
  const content = reading.unsigned;
  reading.unsigned = "";
  const index = reading.places.thought();
  const packed = unpackDetail(signature, content);
  if (content === "") reading.thought += packed?.text ?? packed?.summary ?? "";
  const own = { type: "reasoning.text" as const, format: reasoningFormat, text: content, signature };
  reading.details.push({ ...(packed ?? own), index });
}

function readText(reading: ModelTurnReading, { text = "", thoughtSignature }: GenaiPart): void {
  const { places } = reading;
  reading.text += text;
  const index = text === "" ? undefined : places.text(reading.text.length);
  if (thoughtSignature === undefined) return;
  const place = index ?? places.other();
  sign(reading, thoughtSignature, { index: place, end_index: reading.text.length });
  places.sign(place);
}

function sign(
  { details }: ModelTurnReading,
  data: string | undefined,
  tie: { index: number; id?: string; end_index?: number },
): void {
  if (data === undefined) return;
  details.push({ type: "reasoning.encrypted", format: reasoningFormat, data, ...tie });
}

function warnOfOther(part: GenaiPart, { notes, path }: FieldPath): void {
  for (const field of Object.keys(part)) warnUnsupportedFields(notes, `${path}.${field}`);
}

function messageOf({ text, thought, details, calls, images, places }: ModelTurnReading): ChatMessage {
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(thought === "" ? {} : { reasoning: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: [...details] }),
    ...(images.length === 0 ? {} : { images }),
    ...places.mark(calls),
  };
}
