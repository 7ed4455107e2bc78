import type { ChatChunk, ChunkChoice } from "../../../../engine/api/chat.ts";
import type { Annotation } from "../../../../engine/api/message.ts";
import type { Usage } from "../../../../engine/api/usage.ts";
import { finishReasonOf } from "../../../../engine/dialects/finish-reason.ts";
import { writeFinishReason } from "../../../../engine/dialects/gemini/finish-reasons.ts";
import { writeLogProbs } from "../../../../engine/dialects/gemini/log-probs.ts";
import { writeGrounding } from "../../../../engine/dialects/gemini/sources.ts";
import { writeUsage } from "../../../../engine/dialects/gemini/usage.ts";
import type { ChunkWriter } from "../../shared/dialect.ts";
import { type Part, type PartReader, type PartStep, partReader } from "../../shared/parts.ts";
import { errorBody } from "../errors.ts";
import type { GenaiPart, GenaiResponse } from "../schema.ts";
import {
  type AnswerSignatures,
  callPart,
  imageParts,
  isBroken,
  leftSignatures,
  newSignatures,
  signedThought,
  signText,
  takeSignature,
} from "./parts.ts";

/** How the pieces of a stream stand in its text. */
export interface Framing {
  /** The first and the others after it. */
  frame(piece: unknown, isFirst: boolean): string;
  readonly end: string;
}

interface CandidateState {
  readonly index: number;
  readonly parts: PartReader;
  readonly signatures: AnswerSignatures;
  readonly annotations: Annotation[];
  text: string;
  /** Sent at the end: their signatures may follow them. */
  readonly images: unknown[];
  hasCalls: boolean;
  hasBrokenCalls: boolean;
  finish: string | null;
}

interface GenaiStreamState {
  readonly candidates: Map<number, CandidateState>;
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
  const state: GenaiStreamState = {
    candidates: new Map(),
    ...{ framing, showsThoughts },
    ...{ pieces: 0, id: "", model: "", usage: undefined, tier: undefined },
  };
  return {
    write(chunk) {
      readEnvelope(state, chunk);
      const candidates = chunk.choices.flatMap((choice) => writeChoice(state, choice));
      return candidates.length === 0 ? "" : writePiece(state, { candidates });
    },
    end() {
      const candidates = [...state.candidates.values()].map((candidate) => endCandidate(state, candidate));
      return writePiece(state, { candidates, ...writeUsage(state.usage, state.tier) }) + framing.end;
    },
    fail: (error, eventId) => framing.frame(errorBody(error, eventId), state.pieces === 0),
  };
}

function readEnvelope(state: GenaiStreamState, { id, model, usage, service_tier: tier }: ChatChunk): void {
  if (state.id === "") state.id = id;
  state.model = model;
  if (usage) state.usage = usage;
  if (tier) state.tier = tier;
}

function writePiece(state: GenaiStreamState, piece: Pick<GenaiResponse, "candidates">): string {
  const whole = { ...piece, modelVersion: state.model, responseId: state.id };
  return state.framing.frame(whole, state.pieces++ === 0);
}

function writeChoice(state: GenaiStreamState, choice: ChunkChoice): GenaiResponse["candidates"] {
  const candidate = candidateOf(state, choice.index);
  const { delta, finish_reason: reason, log_probs } = choice;
  if (reason !== null) candidate.finish = reason;
  const parts = candidate.parts.read(delta).flatMap((step) => writeStep(state, candidate, step));
  if (Array.isArray(delta.images)) candidate.images.push(...delta.images);
  if (parts.length === 0) return [];
  return [{ index: choice.index, content: { role: "model", parts }, ...writeLogProbs(log_probs) }];
}

function candidateOf({ candidates }: GenaiStreamState, index: number): CandidateState {
  const known = candidates.get(index);
  if (known !== undefined) return known;
  const parts = partReader();
  const signatures = newSignatures();
  const calls = { hasCalls: false, hasBrokenCalls: false };
  const candidate = { index, parts, signatures, annotations: [], text: "", images: [], ...calls, finish: null };
  candidates.set(index, candidate);
  return candidate;
}

/** A call is written once it is whole: the vendor does not stream parts of one. */
function writeStep(state: GenaiStreamState, candidate: CandidateState, step: PartStep): GenaiPart[] {
  switch (step.kind) {
    case "open":
      return [];
    case "grow":
      return growPart(state, candidate, step);
    case "close":
      return closePart(state, candidate, step.part);
    case "cite":
      candidate.annotations.push(...step.annotations);
      return [];
  }
}

function growPart(
  { showsThoughts }: GenaiStreamState,
  candidate: CandidateState,
  { part, delta }: Extract<PartStep, { kind: "grow" }>,
): GenaiPart[] {
  if (part.kind === "call") return [];
  if (part.kind === "thought") return showsThoughts ? [{ text: delta, thought: true }] : [];
  if (part.kind === "refusal") return [{ text: delta }];
  const start = candidate.text.length;
  candidate.text += delta;
  return signText(delta, start, candidate.signatures);
}

function closePart({ showsThoughts }: GenaiStreamState, candidate: CandidateState, part: Part): GenaiPart[] {
  const { signatures } = candidate;
  if (part.kind === "thought")
    return takeSignature(part, signatures)
      ? signText("", candidate.text.length, signatures)
      : signedThought(part, showsThoughts, signatures);
  if (part.kind !== "call") return [];
  candidate.hasCalls = true;
  candidate.hasBrokenCalls ||= isBroken(part);
  return [callPart(part, signatures)];
}

/** The last piece always has a part: clients that keep a history skip contents without one. */
function endCandidate(state: GenaiStreamState, candidate: CandidateState): GenaiResponse["candidates"][number] {
  const { index, signatures, annotations, images } = candidate;
  const steps = candidate.parts.end().flatMap((step) => writeStep(state, candidate, step));
  const parts = [...steps, ...leftSignatures(signatures), ...imageParts(images, signatures)];
  const finish = finishReasonOf(candidate.finish, candidate.hasCalls);
  return {
    index,
    content: { role: "model", parts: parts.length === 0 ? [{ text: "" }] : parts },
    finishReason: writeFinishReason(finish, candidate.hasBrokenCalls),
    ...writeGrounding(annotations, candidate.text),
  };
}
