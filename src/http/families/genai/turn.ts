import type { ChatMessage, ReasoningDetail, ToolCall } from "../../../api/message.ts";
import { dataUrl } from "../shared/content.ts";
import { unpackDetail } from "../shared/envelope.ts";
import { type Place, refuseField, warnUnkept } from "../shared/notes.ts";
import type { GenaiPart } from "./schema.ts";

/** What marks reasoning as this vendor's; adapters/providers/gemini gives and takes it under the same name. */
export const reasoningFormat = "google-gemini-v1";

/** The id that ties a signature to the nth image of a message, as adapters/providers/gemini has it. */
export function imageId(at: number): string {
  return `image_${at}`;
}

/** The parts of a past answer while they are read. */
export interface ModelTurn {
  /** Reads one part; `path` of the place is that of the part. */
  read(part: GenaiPart, place: Place): void;
  message(): ChatMessage;
}

interface Reading {
  text: string;
  thought: string;
  /** Thoughts since the last signature. */
  unsigned: string;
  /** Parts so far: the next one's place. */
  places: number;
  readonly details: ReasoningDetail[];
  readonly calls: ToolCall[];
  readonly images: object[];
}

/** A reader of one past answer, which may be spread over several contents. Calls without an id get one from `nameCall`. */
export function modelTurn(nameCall: (at: number) => string): ModelTurn {
  const reading: Reading = { text: "", thought: "", unsigned: "", places: 0, details: [], calls: [], images: [] };
  return {
    read(part, place) {
      readPart(reading, part, { ...place, nameCall });
      reading.places++;
    },
    message: () => messageOf(reading),
  };
}

interface PartPlace extends Place {
  readonly nameCall: (at: number) => string;
}

function readPart(reading: Reading, part: GenaiPart, place: PartPlace): void {
  const { functionCall, inlineData, thought, text, thoughtSignature } = part;
  if (functionCall !== undefined) readCall(reading, part, place);
  else if (inlineData !== undefined) readImage(reading, part, place);
  else if (thought === true) readThought(reading, part);
  else if (text !== undefined || thoughtSignature !== undefined) readText(reading, part);
  else warnOfOther(part, place);
}

function readCall(
  reading: Reading,
  { functionCall: called, thoughtSignature }: GenaiPart,
  { nameCall }: PartPlace,
): void {
  const id = called?.id ?? nameCall(reading.calls.length);
  const named = { name: called?.name ?? "", arguments: JSON.stringify(called?.args ?? {}) };
  reading.calls.push({ id, type: "function", function: named });
  sign(reading, thoughtSignature, { id });
}

function readImage(reading: Reading, { inlineData, thoughtSignature }: GenaiPart, { path }: Place): void {
  const { mimeType = "", data = "" } = inlineData ?? {};
  if (!mimeType.startsWith("image/")) throw refuseField(`${path}.inlineData`, "of an answer can only be an image.");
  sign(reading, thoughtSignature, { id: imageId(reading.images.length) });
  reading.images.push({ type: "image_url", image_url: { url: dataUrl(mimeType, data) } });
}

/** Thoughts are one with those before them up to a signature; those that none vouches for are text only. */
function readThought(reading: Reading, { text = "", thoughtSignature: signature }: GenaiPart): void {
  reading.unsigned += text;
  reading.thought += text;
  if (signature === undefined) return;
  const said = reading.unsigned;
  reading.unsigned = "";
  const index = reading.places;
  const packed = unpackDetail(signature, said);
  if (said === "") reading.thought += packed?.text ?? packed?.summary ?? "";
  reading.details.push(packed ?? { type: "reasoning.text", index, format: reasoningFormat, text: said, signature });
}

function readText(reading: Reading, { text = "", thoughtSignature }: GenaiPart): void {
  reading.text += text;
  sign(reading, thoughtSignature, { end_index: reading.text.length });
}

function sign({ details, places }: Reading, data: string | undefined, tie: { id?: string; end_index?: number }): void {
  if (data === undefined) return;
  details.push({ type: "reasoning.encrypted", index: places, format: reasoningFormat, data, ...tie });
}

function warnOfOther(part: GenaiPart, { notes, path }: Place): void {
  for (const field of Object.keys(part)) warnUnkept(notes, `${path}.${field}`);
}

function messageOf({ text, thought, details, calls, images }: Reading): ChatMessage {
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(thought === "" ? {} : { reasoning: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: [...details] }),
    ...(images.length === 0 ? {} : { images }),
    ...(calls.length === 0 ? {} : { tool_calls: [...calls] }),
  };
}
