import type { ChatMessage, Delta, ReasoningDetail, ToolCall } from "../../../src/api/message.ts";
import type { Translation } from "../chat/fields.ts";
import { asideOf, textOf } from "../chat/odd.ts";
import { imageId, reasoningFormat } from "./model-turn.ts";
import type { WirePart } from "./wire.ts";

/** An image of an answer, as a `data:` URL. */
interface Image {
  readonly type: "image_url";
  readonly index: number;
  readonly image_url: { readonly url: string };
}

/** What of one candidate has been read, and a reader of its next part. */
export interface CandidateReader {
  /** What the part adds; `undefined` when it adds nothing to a message. */
  read(part: WirePart): Delta | undefined;
  /** All that was read so far. */
  message(): ChatMessage;
  text(): string;
  hasCalls(): boolean;
}

interface Reading {
  readonly candidate: number;
  text: string;
  thought: string;
  audio: string;
  readonly details: ReasoningDetail[];
  readonly calls: ToolCall[];
  readonly images: Image[];
  /** Thoughts, texts, calls and images so far, a run of one kind counted once: the next one's `index`. */
  places: number;
  run: "none" | "thought" | "text";
}

/** A reader of one candidate's parts, in order; whole answers and streams are read by the same. */
export function candidateReader(candidate: number, context: Translation): CandidateReader {
  const reading: Reading = {
    candidate,
    text: "",
    thought: "",
    audio: "",
    details: [],
    calls: [],
    images: [],
    places: 0,
    run: "none",
  };
  return {
    read: (part) => readPart(reading, part, context),
    message: () => messageOf(reading, context),
    text: () => reading.text,
    hasCalls: () => reading.calls.length > 0,
  };
}

function readPart(reading: Reading, part: WirePart, context: Translation): Delta | undefined {
  if (part.functionCall) return readCall(reading, part, context);
  if (part.inlineData) return part.thought === true ? undefined : readMedia(reading, part, context);
  if (part.text !== undefined || part.thoughtSignature !== undefined) {
    return part.thought === true ? readThought(reading, part) : readText(reading, part);
  }
  const [kind] = Object.keys(part).filter((field) => field !== "thought");
  if (kind !== undefined) context.call.warn(`a part with \`${kind}\` in the answer is left out`);
  return undefined;
}

/** The `index` of a piece of a run: a run begins where the kind changes, and ends with a signature. */
function placeOf(reading: Reading, kind: "thought" | "text"): number {
  if (reading.run !== kind) reading.places++;
  reading.run = kind;
  return reading.places - 1;
}

function ownPlace(reading: Reading): number {
  reading.run = "none";
  return reading.places++;
}

function saidBy({ text, thoughtSignature: told }: WirePart): { text: string; signature: string | undefined } {
  return { text: textOf(text), signature: signatureOf(told) };
}

function signatureOf(told: unknown): string | undefined {
  return told === undefined ? undefined : textOf(told);
}

function readThought(reading: Reading, part: WirePart): Delta | undefined {
  const { text, signature } = saidBy(part);
  if (text === "" && signature === undefined) return undefined;
  const index = placeOf(reading, "thought");
  const parts = { ...(text === "" ? {} : { text }), ...(signature === undefined ? {} : { signature }) };
  const detail: ReasoningDetail = { type: "reasoning.text", index, format: reasoningFormat, ...parts };
  const known = reading.details.at(-1);
  if (known?.index === index) {
    Object.assign(known, detail, known.text === undefined && text === "" ? {} : { text: `${known.text ?? ""}${text}` });
  } else {
    reading.details.push({ ...detail });
  }
  reading.thought += text;
  if (signature !== undefined) reading.run = "none";
  return { ...(text === "" ? {} : { reasoning: text }), reasoning_details: [detail] };
}

function readText(reading: Reading, part: WirePart): Delta | undefined {
  const { text, signature } = saidBy(part);
  if (text === "" && signature === undefined) return undefined;
  const index = placeOf(reading, "text");
  reading.text += text;
  const content = text === "" ? {} : { content: text };
  if (signature === undefined) return content;
  reading.run = "none";
  return { ...content, ...sign(reading, { index, data: signature, end_index: reading.text.length }) };
}

/** Keeps a signature; what it belongs to is told by `id`, or by the end of the text that it stands behind. */
function sign(reading: Reading, tie: { index: number; data: string; id?: string; end_index?: number }): Delta {
  const detail: ReasoningDetail = { type: "reasoning.encrypted", format: reasoningFormat, ...tie };
  reading.details.push(detail);
  return { reasoning_details: [detail] };
}

/** Calls come whole; where the vendor gives no id, one is made of the attempt's own. */
function readCall(reading: Reading, { functionCall, thoughtSignature }: WirePart, { call }: Translation): Delta {
  const data = signatureOf(thoughtSignature);
  const place = ownPlace(reading);
  const index = reading.calls.length;
  const id =
    asideOf(functionCall?.id) ??
    ["call", call.id, ...(reading.candidate === 0 ? [] : [reading.candidate]), index].join("_");
  const named = { name: textOf(functionCall?.name), arguments: JSON.stringify(functionCall?.args ?? {}) };
  reading.calls.push({ id, type: "function", function: named });
  const signature = data === undefined ? {} : sign(reading, { index: place, data, id });
  return { ...signature, tool_calls: [{ index, id, type: "function", function: named }] };
}

function readMedia(reading: Reading, part: WirePart, context: Translation): Delta | undefined {
  const [mimeType, data] = [textOf(part.inlineData?.mimeType), textOf(part.inlineData?.data)];
  if (mimeType.startsWith("audio/")) {
    reading.audio += data;
    return { audio: { id: audioId(reading, context), data } };
  }
  if (!mimeType.startsWith("image/")) {
    context.call.warn(`a part of type ${mimeType} in the answer is left out`);
    return undefined;
  }
  const place = ownPlace(reading);
  const index = reading.images.length;
  const image: Image = { type: "image_url", index, image_url: { url: `data:${mimeType};base64,${data}` } };
  reading.images.push(image);
  const signature = signatureOf(part.thoughtSignature);
  const signed = signature === undefined ? {} : sign(reading, { index: place, data: signature, id: imageId(index) });
  return { ...signed, images: [image] };
}

function audioId({ candidate }: Reading, { call }: Translation): string {
  return `audio_${call.id}_${candidate}`;
}

function messageOf(reading: Reading, context: Translation): ChatMessage {
  const { text, thought, audio, details, calls, images } = reading;
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(thought === "" ? {} : { reasoning: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(audio === "" ? {} : { audio: { id: audioId(reading, context), data: audio } }),
    ...(images.length === 0 ? {} : { images }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}
