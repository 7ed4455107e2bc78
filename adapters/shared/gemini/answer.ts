import type { LogProbs } from "../../../src/engine/api/chat.ts";
import type { Annotation, ChatMessage, Delta } from "../../../src/engine/api/message.ts";
import { readFinishReason } from "../../../src/engine/dialects/gemini/finish-reasons.ts";
import { readLogProbs } from "../../../src/engine/dialects/gemini/log-probs.ts";
import {
  annotationsOf,
  type GroundingResult,
  searchResultsOf,
  type WireCitationSource,
  type WireGrounding,
} from "../../../src/engine/dialects/gemini/sources.ts";
import type { GeminiWireUsage } from "../../../src/engine/dialects/gemini/usage.ts";
import { indexOr, optionalText } from "../../../src/engine/dialects/wire-values.ts";
import type { Translation } from "../chat/fields.ts";
import { type CandidateReader, candidateReader } from "./candidate.ts";
import type { WireCandidate, WireResponse } from "./wire.ts";

/** What one candidate adds. */
export interface ChoiceStep {
  readonly index: number;
  readonly deltas: readonly Delta[];
  readonly logProbs: LogProbs | undefined;
}

/** How one candidate ended; `reason` is null where the vendor gives none. */
export interface CandidateEnd {
  readonly index: number;
  readonly reason: string | null;
  readonly annotations: readonly Annotation[];
  /** All that was read of it. */
  readonly message: ChatMessage;
}

/** An answer while its events come in; a whole one is an answer of one event. */
export interface AnswerReader {
  read(response: WireResponse): ChoiceStep[];
  /** The ends of all candidates, by index. Asked once, after the last event: some servers say in every event that it is the end. */
  ends(): CandidateEnd[];
  isComplete(): boolean;
  /** What the vendor said of itself and of the cost. */
  readonly reported: { id: string; model: string; usage: GeminiWireUsage | undefined };
  searches(): { results: GroundingResult[]; queries: number };
}

interface OpenCandidate {
  readonly reader: CandidateReader;
  grounding: WireGrounding | undefined;
  readonly recited: WireCitationSource[];
  /** Why the prompt was blocked. */
  block: string | undefined;
  finish: WireCandidate | undefined;
}

/** A reader of one answer, whole or streamed. */
export function answerReader(context: Translation): AnswerReader {
  const open = new Map<number, OpenCandidate>();
  const reported: AnswerReader["reported"] = { id: "", model: context.call.model, usage: undefined };
  return {
    reported,
    read(response) {
      if (reported.id === "") reported.id = optionalText(response.responseId) ?? context.call.id;
      reported.model = optionalText(response.modelVersion) ?? reported.model;
      if (response.usageMetadata) reported.usage = response.usageMetadata;
      const block = blockOf(response);
      if (block !== undefined && !response.candidates?.length) return [readBlock(candidateAt(open, 0, context), block)];
      return (response.candidates ?? []).map((candidate, at) => {
        const index = indexOf(candidate, at);
        return { index, ...readCandidate(candidateAt(open, index, context), candidate) };
      });
    },
    ends: () =>
      [...open.entries()].sort(([a], [b]) => a - b).map(([index, candidate]) => endOf(index, candidate, context)),
    isComplete: () => open.size > 0 && [...open.values()].every(({ finish, block }) => finish ?? block),
    searches: () => ({
      results: [...open.values()].flatMap(({ grounding }) => searchResultsOf(grounding)),
      queries: [...open.values()].reduce((sum, { grounding }) => sum + queriesOf(grounding), 0),
    }),
  };
}

/** The vendor leaves out an index of 0; of what is no index, the place in the list stands for it. */
function indexOf({ index }: WireCandidate, at: number): number {
  return index === undefined ? 0 : indexOr(at, index);
}

function queriesOf(grounding: WireGrounding | undefined): number {
  return Array.isArray(grounding?.webSearchQueries) ? grounding.webSearchQueries.length : 0;
}

function candidateAt(open: Map<number, OpenCandidate>, index: number, context: Translation): OpenCandidate {
  const known = open.get(index);
  if (known) return known;
  const reader = candidateReader(index, context);
  const candidate: OpenCandidate = { reader, grounding: undefined, recited: [], block: undefined, finish: undefined };
  open.set(index, candidate);
  return candidate;
}

function readCandidate(open: OpenCandidate, candidate: WireCandidate): Omit<ChoiceStep, "index"> {
  const deltas: Delta[] = [];
  for (const part of candidate.content?.parts ?? []) {
    const delta = open.reader.read(part);
    if (delta !== undefined) deltas.push(delta);
  }
  const { groundingMetadata: grounding } = candidate;
  if (grounding?.groundingChunks || grounding?.webSearchQueries) open.grounding = grounding;
  open.recited.push(...(candidate.citationMetadata?.citationSources ?? []));
  if (isFinished(candidate)) open.finish = candidate;
  return { deltas, logProbs: readLogProbs(candidate.logprobsResult) };
}

function readBlock(open: OpenCandidate, block: string): ChoiceStep {
  open.block = block;
  return { index: 0, deltas: [{ refusal: block }], logProbs: undefined };
}

function endOf(index: number, open: OpenCandidate, context: Translation): CandidateEnd {
  const { reader, grounding, recited, block, finish } = open;
  const annotations = annotationsOf(reader.text(), grounding, recited);
  const message: ChatMessage = {
    ...reader.message(),
    ...(block === undefined ? {} : { refusal: block }),
    ...(annotations.length === 0 ? {} : { annotations }),
  };
  if (block !== undefined) return { index, reason: "content_filter", annotations, message };
  const reason = finish === undefined ? null : finishReasonOf(finish, reader.hasCalls(), context);
  return { index, reason, annotations, message };
}

/** The `finish_reason` of a candidate; the vendor has no word of its own for an answer that ends in calls. */
function finishReasonOf(
  { finishReason, finishMessage }: WireCandidate,
  hasCalls: boolean,
  { call }: Translation,
): string {
  const known = readFinishReason(finishReason, hasCalls);
  if (known !== "error") return known;
  const message = optionalText(finishMessage);
  call.warn(`the answer ended with ${finishReason}${message === undefined ? "" : `: ${message}`}`);
  return "error";
}

/** True for a candidate that has come to its end. */
function isFinished({ finishReason }: WireCandidate): boolean {
  return optionalText(finishReason) !== undefined && finishReason !== "FINISH_REASON_UNSPECIFIED";
}

/** Why the prompt itself was blocked, in the vendor's words; `undefined` when it was not. */
function blockOf({ promptFeedback }: WireResponse): string | undefined {
  const reason = optionalText(promptFeedback?.blockReason);
  if (reason === undefined) return undefined;
  return optionalText(promptFeedback?.blockReasonMessage) ?? `The prompt was blocked: ${reason}.`;
}
