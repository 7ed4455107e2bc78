import type { LogProbs } from "../../../src/api/chat.ts";
import type { Annotation, ChatMessage, Delta } from "../../../src/api/message.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { type CandidateReader, candidateReader } from "./candidate.ts";
import { blockOf, finishReasonOf, isFinished, logProbsOf } from "./finish.ts";
import { annotationsOf, type SearchResult, searchResultsOf } from "./sources.ts";
import type { WireCandidate, WireCitationSource, WireGrounding, WireResponse, WireUsage } from "./wire.ts";

/** What one candidate adds. */
export interface ChoiceStep {
  readonly index: number;
  readonly deltas: readonly Delta[];
  readonly logProbs: LogProbs | undefined;
  /** Present when the candidate has come to its end. */
  readonly finish: { readonly reason: string; readonly annotations: readonly Annotation[] } | undefined;
}

/** An answer while its events come in; a whole one is an answer of one event. */
export interface AnswerReader {
  read(response: WireResponse): ChoiceStep[];
  /** The message of each candidate so far, with its finish reason. */
  choices(): { index: number; message: ChatMessage; reason: string | null; logProbs: LogProbs | undefined }[];
  isComplete(): boolean;
  /** The last that the vendor said of itself and of the cost. */
  readonly said: { id: string; model: string; usage: WireUsage | undefined };
  searches(): { results: SearchResult[]; queries: number };
}

interface OpenCandidate {
  readonly reader: CandidateReader;
  grounding: WireGrounding | undefined;
  readonly recited: WireCitationSource[];
  refusal: string | undefined;
  annotations: Annotation[];
  logProbs: LogProbs | undefined;
  reason: string | null;
}

/** A reader of one answer, whole or streamed. */
export function answerReader(context: Translation): AnswerReader {
  const open = new Map<number, OpenCandidate>();
  const said: AnswerReader["said"] = { id: context.call.id, model: context.call.model, usage: undefined };
  return {
    said,
    read(response) {
      if (response.responseId) said.id = response.responseId;
      if (response.modelVersion) said.model = response.modelVersion;
      if (response.usageMetadata) said.usage = response.usageMetadata;
      const block = blockOf(response);
      if (block !== undefined && !response.candidates?.length)
        return [readBlock(openCandidate(open, 0, context), block)];
      return (response.candidates ?? []).map((candidate) => {
        const index = candidate.index ?? 0;
        return { index, ...readCandidate(openCandidate(open, index, context), candidate, context) };
      });
    },
    choices: () =>
      [...open.entries()].sort(([a], [b]) => a - b).map(([index, candidate]) => ({ index, ...closed(candidate) })),
    isComplete: () => open.size > 0 && [...open.values()].every(({ reason }) => reason !== null),
    searches: () => ({
      results: [...open.values()].flatMap(({ grounding }) => searchResultsOf(grounding)),
      queries: [...open.values()].reduce((sum, { grounding }) => sum + (grounding?.webSearchQueries?.length ?? 0), 0),
    }),
  };
}

function openCandidate(open: Map<number, OpenCandidate>, index: number, context: Translation): OpenCandidate {
  const known = open.get(index);
  if (known) return known;
  const reader = candidateReader(index, context);
  const candidate: OpenCandidate = {
    reader,
    grounding: undefined,
    recited: [],
    refusal: undefined,
    annotations: [],
    logProbs: undefined,
    reason: null,
  };
  open.set(index, candidate);
  return candidate;
}

function readCandidate(open: OpenCandidate, candidate: WireCandidate, context: Translation): Omit<ChoiceStep, "index"> {
  const deltas: Delta[] = [];
  for (const part of candidate.content?.parts ?? []) {
    const delta = open.reader.read(part);
    if (delta !== undefined) deltas.push(delta);
  }
  const { groundingMetadata: grounding } = candidate;
  if (grounding?.groundingChunks || grounding?.webSearchQueries) open.grounding = grounding;
  open.recited.push(...(candidate.citationMetadata?.citationSources ?? []));
  const logProbs = logProbsOf(candidate.logprobsResult);
  open.logProbs = logProbs ?? open.logProbs;
  if (!isFinished(candidate)) return { deltas, logProbs, finish: undefined };
  open.reason = finishReasonOf(candidate, open.reader.hasCalls(), context);
  open.annotations = annotationsOf(open.reader.text(), open.grounding, open.recited);
  return { deltas, logProbs, finish: { reason: open.reason, annotations: open.annotations } };
}

function readBlock(open: OpenCandidate, block: string): ChoiceStep {
  open.reason = "content_filter";
  open.refusal = block;
  return {
    index: 0,
    deltas: [{ refusal: block }],
    logProbs: undefined,
    finish: { reason: open.reason, annotations: [] },
  };
}

function closed({ reader, refusal, annotations, reason, logProbs }: OpenCandidate) {
  const message: ChatMessage = {
    ...reader.message(),
    ...(refusal === undefined ? {} : { refusal }),
    ...(annotations.length === 0 ? {} : { annotations: [...annotations] }),
  };
  return { message, reason, logProbs };
}
