import type { Usage } from "../../api/usage.ts";
import type { TokenReading } from "../../decisions/by-token.ts";
import type { QuestionOutcome } from "../../decisions/outcome.ts";
import type { Prompt } from "../../metering/prompt.ts";
import type { AnsweredPart } from "../../ports/provider.ts";

/** The calls that one answer took, where the verb asks a target in parts. */
export interface SubCalls {
  /** What became of each question; a question in here is not asked again. */
  readonly outcomes: Map<string, QuestionOutcome>;
  /** What was read of single orders of options, by question and order. */
  readonly readings: Map<string, TokenReading>;
  /** Questions whose probabilities were useless; those are not asked for again. */
  readonly withoutLogprobs: Set<string>;
  /** What each call consumed; each is priced by itself. */
  readonly usages: Usage[];
  /** One of the usages was counted by us. */
  isEstimated: boolean;
  /** An earlier try has a line of its own, with the usages until then. */
  isSplit: boolean;
  /** Chats of this try that have no usable answer, but for those that cost nothing; true once their answers have begun. */
  readonly open: Map<Prompt, boolean>;
  /** The attempt that asks now: answers to earlier ones are ignored. */
  attemptId: string;
}

/** The parts of an answer that has none so far. */
export function openSubCalls(): SubCalls {
  return {
    outcomes: new Map(),
    readings: new Map(),
    usages: [],
    isEstimated: false,
    isSplit: false,
    open: new Map(),
    withoutLogprobs: new Set(),
    attemptId: "",
  };
}

/** A request to a target, answered, and its reported usage. */
export interface PartialAnswer {
  readonly request: object;
  readonly usage: Usage | undefined;
}

/** An attempt, as far as it records its answers. */
interface AnswerRecorder {
  readonly consumed: { partialAnswers?: PartialAnswer[] | undefined };
  answered?(part: AnsweredPart): void;
}

/**
 * The attempt with the means to report answered parts. A field of its own, so that a wrapper that spreads the call passes it on,
 * and only for verbs that providers may ask for in parts: no other attempt pays for it.
 */
export function recordingAnswers<Attempt extends AnswerRecorder>(attempt: Attempt): Attempt {
  attempt.answered = (part) => recordAnswer(attempt, part);
  return attempt;
}

/** Records what a target has answered: it is billed even if the attempt fails. */
export function recordAnswer({ consumed }: AnswerRecorder, answered: PartialAnswer): void {
  consumed.partialAnswers ??= [];
  consumed.partialAnswers.push(answered);
}
