import type { ChatMessage, Delta, ReasoningDetail, ToolCall } from "../../../src/engine/api/message.ts";
import { imageId, reasoningFormat } from "../../../src/engine/dialects/gemini/reasoning.ts";
import { type PlaceList, placeList } from "../../../src/engine/dialects/order.ts";
import { optionalText, textOf } from "../../../src/engine/dialects/wire-values.ts";
import type { Translation } from "../chat/fields.ts";
import { functionName } from "../chat/function-name.ts";
import type { WirePart } from "./wire.ts";

/** An image of an answer, as a `data:` URL. */
interface AnswerImage {
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

interface CandidateReading {
  readonly candidate: number;
  text: string;
  thought: string;
  audio: string;
  readonly details: ReasoningDetail[];
  readonly calls: ToolCall[];
  readonly images: AnswerImage[];
  /** Thoughts, texts, calls and images so far, a run of one kind counted once. */
  readonly places: PlaceList;
  /** The thought or text that grows, with its place. */
  run: { readonly kind: "thought" | "text"; readonly index: number } | undefined;
}

/** A reader of one candidate's parts, in order; whole answers and streams are read by the same. */
export function candidateReader(candidate: number, context: Translation): CandidateReader {
  const reading: CandidateReading = {
    candidate,
    text: "",
    thought: "",
    audio: "",
    details: [],
    calls: [],
    images: [],
    places: placeList(),
    run: undefined,
  };
  return {
    read: (part) => readPart(reading, part, context),
    message: () => messageOf(reading, context),
    text: () => reading.text,
    hasCalls: () => reading.calls.length > 0,
  };
}

function readPart(reading: CandidateReading, part: WirePart, context: Translation): Delta | undefined {
  if (part.functionCall) return readCall(reading, part, context);
  if (part.inlineData) return part.thought === true ? undefined : readMedia(reading, part, context);
  if (part.text !== undefined || part.thoughtSignature !== undefined) {
    return part.thought === true ? readThought(reading, part) : readText(reading, part);
  }
  const [kind] = Object.keys(part).filter((field) => field !== "thought");
  if (kind !== undefined) context.call.warn(`a part with \`${kind}\` in the answer is left out`);
  return undefined;
}

function textBy({ text, thoughtSignature: raw }: WirePart): { text: string; signature: string | undefined } {
  return { text: textOf(text), signature: signatureOf(raw) };
}

function signatureOf(raw: unknown): string | undefined {
  return raw === undefined ? undefined : textOf(raw);
}

function readThought(reading: CandidateReading, part: WirePart): Delta | undefined {
  const { text, signature } = textBy(part);
  if (text === "" && signature === undefined) return undefined;
  const index = reading.run?.kind === "thought" ? reading.run.index : reading.places.thought();
  reading.run = signature === undefined ? { kind: "thought", index } : undefined;
  const parts = { ...(text === "" ? {} : { text }), ...(signature === undefined ? {} : { signature }) };
  const detail: ReasoningDetail = { type: "reasoning.text", index, format: reasoningFormat, ...parts };
  const known = reading.details.at(-1);
  if (known?.index === index) {
    Object.assign(known, detail, known.text === undefined && text === "" ? {} : { text: `${known.text ?? ""}${text}` });
  } else {
    reading.details.push({ ...detail });
  }
  reading.thought += text;
  return { ...(text === "" ? {} : { reasoning: text }), reasoning_details: [detail] };
}

function readText(reading: CandidateReading, part: WirePart): Delta | undefined {
  const { text, signature } = textBy(part);
  if (text === "" && signature === undefined) return undefined;
  reading.text += text;
  const index = placeOfText(reading, text);
  reading.run = { kind: "text", index };
  const content = text === "" ? {} : { content: text };
  if (signature === undefined) return content;
  reading.run = undefined;
  reading.places.sign(index);
  return { ...content, ...sign(reading, { index, data: signature, end_index: reading.text.length }) };
}

/** A run of text is one; a signature without any text has a place of its own where no text is in front of it. */
function placeOfText({ places, run, text }: CandidateReading, piece: string): number {
  if (piece !== "") return places.text(text.length);
  return run?.kind === "text" ? run.index : places.other();
}

/** Keeps a signature; `id`, or the end of the text in front of it, says what it belongs to. */
function sign(reading: CandidateReading, tie: { index: number; data: string; id?: string; end_index?: number }): Delta {
  const detail: ReasoningDetail = { type: "reasoning.encrypted", format: reasoningFormat, ...tie };
  reading.details.push(detail);
  return { reasoning_details: [detail] };
}

/** Calls come whole; where the vendor gives no id, one is made of the attempt's own. */
function readCall(
  reading: CandidateReading,
  { functionCall, thoughtSignature }: WirePart,
  { call }: Translation,
): Delta {
  const data = signatureOf(thoughtSignature);
  const position = reading.places.call();
  reading.run = undefined;
  const index = reading.calls.length;
  const id =
    optionalText(functionCall?.id) ??
    ["call", call.id, ...(reading.candidate === 0 ? [] : [reading.candidate]), index].join("_");
  const named = { name: functionName(functionCall?.name), arguments: JSON.stringify(functionCall?.args ?? {}) };
  reading.calls.push({ id, type: "function", function: named });
  const signature = data === undefined ? {} : sign(reading, { index: position, data, id });
  return { ...signature, tool_calls: [{ index, id, type: "function", function: named }] };
}

function readMedia(reading: CandidateReading, part: WirePart, context: Translation): Delta | undefined {
  const [mimeType, data] = [textOf(part.inlineData?.mimeType), textOf(part.inlineData?.data)];
  if (mimeType.startsWith("audio/")) {
    reading.audio += data;
    return { audio: { id: audioId(reading, context), data } };
  }
  if (!mimeType.startsWith("image/")) {
    context.call.warn(`a part of type ${mimeType} in the answer is left out`);
    return undefined;
  }
  const position = reading.places.other();
  reading.run = undefined;
  const index = reading.images.length;
  const image: AnswerImage = { type: "image_url", index, image_url: { url: `data:${mimeType};base64,${data}` } };
  reading.images.push(image);
  const signature = signatureOf(part.thoughtSignature);
  const signed = signature === undefined ? {} : sign(reading, { index: position, data: signature, id: imageId(index) });
  return { ...signed, images: [image] };
}

function audioId({ candidate }: CandidateReading, { call }: Translation): string {
  return `audio_${call.id}_${candidate}`;
}

function messageOf(reading: CandidateReading, context: Translation): ChatMessage {
  const { text, thought, audio, details, calls, images, places } = reading;
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(thought === "" ? {} : { reasoning: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(audio === "" ? {} : { audio: { id: audioId(reading, context), data: audio } }),
    ...(images.length === 0 ? {} : { images }),
    ...places.mark(calls),
  };
}
