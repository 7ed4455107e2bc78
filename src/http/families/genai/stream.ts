import type { ChatChunk, ChunkChoice } from "../../../api/chat.ts";
import type { Annotation } from "../../../api/message.ts";
import type { Usage } from "../../../api/usage.ts";
import type { ChunkWriter } from "../shared/family.ts";
import { finishOf } from "../shared/finish.ts";
import { type Part, type PartReader, type PartStep, partReader } from "../shared/parts.ts";
import { finishReasonOf, writeLogProbs, writeSources, writeUsage } from "./candidate.ts";
import { errorBody } from "./errors.ts";
import {
  callPart,
  imageParts,
  isBroken,
  leftSignatures,
  newSignatures,
  type Signatures,
  signedThought,
  signText,
  takeSignature,
} from "./parts.ts";
import type { GenaiPart, GenaiResponse } from "./schema.ts";

/** How the pieces of a stream stand in its text. */
export interface Framing {
  /** The first and the others after it. */
  frame(piece: unknown, isFirst: boolean): string;
  readonly end: string;
}

interface Candidate {
  readonly index: number;
  readonly parts: PartReader;
  readonly signatures: Signatures;
  readonly annotations: Annotation[];
  text: string;
  /** Told at the end: their signatures may come behind them. */
  readonly images: unknown[];
  hasCalls: boolean;
  hasBrokenCalls: boolean;
  finish: string | null;
}

interface Told {
  readonly candidates: Map<number, Candidate>;
  readonly framing: Framing;
  readonly showsThoughts: boolean;
  pieces: number;
  id: string;
  model: string;
  usage: Usage | undefined;
  tier: string | undefined;
}

/** Writes a streamed answer; the last piece has the finish reasons and the usage. */
export function streamWriter(framing: Framing, showsThoughts: boolean): ChunkWriter {
  const told: Told = {
    candidates: new Map(),
    ...{ framing, showsThoughts },
    ...{ pieces: 0, id: "", model: "", usage: undefined, tier: undefined },
  };
  return {
    write(chunk) {
      readEnvelope(told, chunk);
      const candidates = chunk.choices.flatMap((choice) => writeChoice(told, choice));
      return candidates.length === 0 ? "" : writePiece(told, { candidates });
    },
    end() {
      const candidates = [...told.candidates.values()].map((candidate) => endCandidate(told, candidate));
      return writePiece(told, { candidates, ...writeUsage(told.usage, told.tier) }) + framing.end;
    },
    fail: (error, eventId) => framing.frame(errorBody(error, eventId), told.pieces === 0),
  };
}

function readEnvelope(told: Told, { id, model, usage, service_tier: tier }: ChatChunk): void {
  if (told.id === "") told.id = id;
  told.model = model;
  if (usage) told.usage = usage;
  if (tier) told.tier = tier;
}

function writePiece(told: Told, piece: Pick<GenaiResponse, "candidates">): string {
  const whole = { ...piece, modelVersion: told.model, responseId: told.id };
  return told.framing.frame(whole, told.pieces++ === 0);
}

function writeChoice(told: Told, choice: ChunkChoice): GenaiResponse["candidates"] {
  const candidate = candidateOf(told, choice.index);
  const { delta, finish_reason: reason, log_probs } = choice;
  if (reason !== null) candidate.finish = reason;
  const parts = candidate.parts.read(delta).flatMap((step) => writeStep(told, candidate, step));
  if (Array.isArray(delta.images)) candidate.images.push(...delta.images);
  if (parts.length === 0) return [];
  return [{ index: choice.index, content: { role: "model", parts }, ...writeLogProbs(log_probs) }];
}

function candidateOf({ candidates }: Told, index: number): Candidate {
  const known = candidates.get(index);
  if (known !== undefined) return known;
  const parts = partReader();
  const signatures = newSignatures();
  const calls = { hasCalls: false, hasBrokenCalls: false };
  const candidate = { index, parts, signatures, annotations: [], text: "", images: [], ...calls, finish: null };
  candidates.set(index, candidate);
  return candidate;
}

/** A call is told when it is whole: the vendor has no pieces of one. */
function writeStep(told: Told, candidate: Candidate, step: PartStep): GenaiPart[] {
  switch (step.kind) {
    case "open":
      return [];
    case "grow":
      return growPart(told, candidate, step);
    case "close":
      return closePart(told, candidate, step.part);
    case "cite":
      candidate.annotations.push(...step.annotations);
      return [];
  }
}

function growPart(
  { showsThoughts }: Told,
  candidate: Candidate,
  { part, delta }: Extract<PartStep, { kind: "grow" }>,
): GenaiPart[] {
  if (part.kind === "call") return [];
  if (part.kind === "thought") return showsThoughts ? [{ text: delta, thought: true }] : [];
  if (part.kind === "refusal") return [{ text: delta }];
  const start = candidate.text.length;
  candidate.text += delta;
  return signText(delta, start, candidate.signatures);
}

function closePart({ showsThoughts }: Told, candidate: Candidate, part: Part): GenaiPart[] {
  const { signatures } = candidate;
  if (part.kind === "thought")
    return takeSignature(part, signatures)
      ? signText("", candidate.text.length, signatures)
      : signedThought(part, showsThoughts);
  if (part.kind !== "call") return [];
  candidate.hasCalls = true;
  candidate.hasBrokenCalls ||= isBroken(part);
  return [callPart(part, signatures)];
}

/** The last piece has a part even when nothing is left to tell: clients that keep a history skip contents without. */
function endCandidate(told: Told, candidate: Candidate): GenaiResponse["candidates"][number] {
  const { index, signatures, annotations, images } = candidate;
  const steps = candidate.parts.end().flatMap((step) => writeStep(told, candidate, step));
  const parts = [...steps, ...leftSignatures(signatures), ...imageParts(images, signatures)];
  const finish = finishOf(candidate.finish, candidate.hasCalls);
  return {
    index,
    content: { role: "model", parts: parts.length === 0 ? [{ text: "" }] : parts },
    finishReason: finishReasonOf(finish, candidate.hasBrokenCalls),
    ...writeSources(annotations, candidate.text),
  };
}
