import type { ChatResponse } from "../api/chat.ts";
import { type Distribution, share } from "./distribution.ts";
import { type LabelStyle, labelMatcher, labelsOf, mostByToken, nameOf } from "./labels.ts";
import { promptFor, type QuestionBody } from "./prompt.ts";
import type { DecisionQuestions, TypedQuestion } from "./question.ts";

const tasks = {
  letters: "Answer with the letter of one option and nothing else.",
  words: "Answer with one of the options, word for word, and nothing else.",
} as const satisfies Record<LabelStyle, string>;

/** What a label weighs at least: no vendor tells nothing from hardly anything. */
const leastWeight = 1e-12;

/** Tokens of `{"answer":"…"}` in any tokenizer, with room for spaces and for an option by its own words. */
export const tokensByEnum = 64;

/** One way to ask a question by token. */
export interface TokenForm {
  /** The options by their positions in the question, as they are shown. */
  readonly order: readonly number[];
  readonly labels: LabelStyle;
  /** Alternatives of the token to ask for; 20 unless the vendor lists fewer. */
  readonly alternatives?: number | undefined;
  readonly lacksSystemRole?: boolean | undefined;
}

/** A distribution over the options of a question in their own order. */
export interface TokenReading {
  readonly distribution: Distribution;
  /** Share of the token that the labels have together: what else it might have been is no answer. */
  readonly mass: number;
}

/** True when the question can be answered by the probabilities of one token. */
export function fitsToken({ options, kind }: TypedQuestion): boolean {
  return kind !== "box" && options.length <= mostByToken;
}

/** The request that makes a chat model weigh the options by one token: every option has a label, and one token is generated. */
export function askByToken(questions: DecisionQuestions, question: TypedQuestion, form: TokenForm): QuestionBody {
  const shown = inOrder(question, form.order);
  const { lacksSystemRole } = form;
  return {
    messages: promptFor(questions, shown, {
      task: tasks[form.labels],
      labels: labelsIn(shown, form.labels),
      lacksSystemRole,
    }),
    max_completion_tokens: 1,
    logprobs: true,
    top_logprobs: form.alternatives ?? mostByToken,
  };
}

/**
 * The shares of the labels among the alternatives of the first token. A label that is not listed is at most as likely as the least
 * likely one that is, and counts as that. `undefined` when the answer carries no log probabilities, or none of a label.
 */
export function readByToken(question: TypedQuestion, answer: ChatResponse, form: TokenForm): TokenReading | undefined {
  const [first] = answer.choices[0]?.log_probs?.content ?? [];
  return first && readAlternatives(question, first.top_logprobs?.length ? first.top_logprobs : [first], form);
}

/** An alternative of a token. */
export interface TokenAlternative {
  readonly token: string;
  readonly logprob: number;
}

/** The shares of the labels among the alternatives of the token that chooses one. */
export function readAlternatives(
  question: TypedQuestion,
  listed: readonly TokenAlternative[],
  { order, labels: style }: TokenForm,
): TokenReading | undefined {
  const shown = inOrder(question, order);
  const find = labelMatcher(labelsIn(shown, style), style);
  const weights: (number | undefined)[] = shown.options.map(() => undefined);
  for (const { token, logprob } of listed) {
    const at = find(token);
    if (at !== -1) weights[at] = (weights[at] ?? 0) + Math.exp(logprob);
  }
  const mass = Math.min(
    1,
    weights.reduce<number>((sum, weight) => sum + (weight ?? 0), 0),
  );
  if (!(mass > 0)) return undefined;
  const bound = Math.max(leastWeight, Math.exp(Math.min(...listed.map(({ logprob }) => logprob))));
  const distribution = share(weights.map((weight) => Math.max(weight ?? bound, leastWeight)));
  return distribution && { distribution: inOwnOrder(distribution, order), mass };
}

/** What the options are called in the order of the question. */
export function labelsIn(question: TypedQuestion, style: LabelStyle): readonly string[] {
  return style === "words" ? question.options.map(nameOf) : labelsOf(question);
}

/** The question with its options in another order. */
export function inOrder(question: TypedQuestion, order: readonly number[]): TypedQuestion {
  return { ...question, options: order.map((at) => question.options[at] as TypedQuestion["options"][number]) };
}

function inOwnOrder(distribution: Distribution, order: readonly number[]): Distribution {
  const own: number[] = [];
  for (const [position, at] of order.entries()) own[at] = distribution[position] as number;
  return own;
}
