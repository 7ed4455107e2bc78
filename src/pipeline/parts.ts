import type { Usage } from "../api/usage.ts";
import type { AnsweredPart } from "../ports.ts";
import type { Prompt } from "../usage/prompt.ts";

/** The calls that one answer took, where the verb asks a target in parts. */
export interface Parts {
  /** Distributions by question; what is here is not asked again. */
  readonly distributions: Map<string, readonly number[]>;
  /** Questions whose probabilities came and were no use; those are not asked for again. */
  readonly unweighed: Set<string>;
  /** What each call consumed; each is priced by itself. */
  readonly usages: Usage[];
  /** One of the usages was counted by us. */
  isEstimated: boolean;
  /** A try before has a line of its own, with the usages until then. */
  isSplit: boolean;
  /** Chats of this try that have no usable answer, but for those that cost nothing; true once their answers have begun. */
  readonly open: Map<Prompt, boolean>;
  /** The attempt that asks now: what those before it still hear is nobody's. */
  asker: string;
}

/** What a target was asked and has answered, and what it says that this used. */
export interface Answered {
  readonly request: object;
  readonly usage: Usage | undefined;
}

/** An attempt, as far as it keeps what was answered. */
interface Noting {
  readonly approach: { answered?: Answered[] | undefined };
  answered?(part: AnsweredPart): void;
}

/**
 * The attempt with the means to tell what was answered. A field of its own, so that a wrapper which spreads the call hands it on, and of
 * those verbs alone that providers may ask for in parts: no other attempt pays for it.
 */
export function notingAnswers<Attempt extends Noting>(attempt: Attempt): Attempt {
  attempt.answered = (part) => noteAnswered(attempt, part);
  return attempt;
}

/** Keeps what a target has answered: it is billed when the attempt fails all the same. */
export function noteAnswered({ approach }: Noting, answered: Answered): void {
  approach.answered ??= [];
  approach.answered.push(answered);
}
