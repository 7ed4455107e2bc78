import type { Usage } from "../../engine/api/usage.ts";

/** What a scripted model does when it is asked. */
export type ScriptStep = ScriptedAct & {
  /** Milliseconds before a whole answer or a failure, and before each piece of a stream; 0 unless given. */
  readonly pauseMs?: number | undefined;
};

type ScriptedAct =
  /** Answers, whole or streamed word by word, with a text, calls of tools, or both. */
  | {
      readonly kind: "answer";
      readonly text?: string | undefined;
      readonly calls?: readonly ScriptedCall[] | undefined;
      /** In tokens; the words of the prompt and of the text unless given. */
      readonly usage?: Usage | undefined;
    }
  /** Answers an embedding request: one vector for each text, from the beginning again when they are used up. */
  | { readonly kind: "vectors"; readonly vectors: readonly (readonly number[])[] }
  /** Answers a rerank request: the score of each document, in the order of the request; 0 for those without one. */
  | { readonly kind: "scores"; readonly scores: readonly number[] }
  /** Decides natively: an answer to each question by its name. A model without such steps is asked by chat. */
  | {
      readonly kind: "decisions";
      readonly answers: Readonly<Record<string, ScriptedDecision>>;
      /** In tokens; the words of the situation and the questions unless given. */
      readonly usage?: Usage | undefined;
    }
  /** Answers with an error status, as the vendor would. */
  | {
      readonly kind: "fail";
      /** 400 to 599. */
      readonly status: number;
      readonly message?: string | undefined;
      readonly code?: string | undefined;
      /** What the vendor's `retry-after` says, in milliseconds. */
      readonly retryAfterMs?: number | undefined;
    }
  /** Cannot be reached. */
  | { readonly kind: "unreachable" }
  /** Streams `after` words of `text` and breaks off; a whole answer is lost on the way. */
  | { readonly kind: "break"; readonly text: string; readonly after: number }
  /** Streams `after` words of `text` and ends as if that were all, without a finish reason (a whole answer is lost). */
  | { readonly kind: "truncate"; readonly text: string; readonly after: number }
  /** Streams `after` words of `text`, then says nothing more. */
  | { readonly kind: "silence"; readonly text?: string | undefined; readonly after?: number | undefined }
  /** Throws what no provider should: a defect. */
  | { readonly kind: "defect" };

/** The step of one kind. */
export type StepOf<Kind extends ScriptStep["kind"]> = Extract<ScriptStep, { readonly kind: Kind }>;

/** A call of a tool in an answer; its id is `call_<n>` unless given. Arguments that are no text become JSON. */
export interface ScriptedCall {
  /** The tool that is called. */
  readonly name: string;
  /** The arguments: an object, or JSON text, which may be wrong on purpose; `{}` unless given. */
  readonly arguments?: string | Readonly<Record<string, unknown>> | undefined;
  /** The id of the call; `call_<n>` unless given, counted from 0. */
  readonly id?: string | undefined;
}

/**
 * The answer to one question of a decision: `true`, `false` or the probability of yes (0 to 1); the option of a choice, or the level of a
 * score by its label or position, which is certain then; probabilities by option or level, which sum to 1 ± 0.05 and are 0 where missing;
 * the edges of a box; or `null`, with which the model declines.
 */
export type ScriptedDecision = boolean | number | string | Readonly<Record<string, number>> | null;

/** For each `provider/model`, what it does time after time; the last step repeats. */
export type Script = Readonly<Record<string, readonly ScriptStep[]>>;
