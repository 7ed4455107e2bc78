import type { ChatResponse } from "../api/chat.ts";
import { type Distribution, share } from "./distribution.ts";
import { labelsOf, mostByToken } from "./labels.ts";
import { promptFor, type QuestionBody } from "./prompt.ts";
import type { DecisionQuestions, TypedQuestion } from "./question.ts";

const task = "Answer with the letter of one option and nothing else.";

/** Alternatives that every vendor of log probabilities lists. */
const fewestAlternatives = 5;

/** True when the question can be answered by the probabilities of one token. */
export function fitsToken({ options }: TypedQuestion): boolean {
  return options.length <= mostByToken;
}

/** The request that makes a chat model weigh the options by one token: every option has a letter, and one token is generated. */
export function askByToken(questions: DecisionQuestions, question: TypedQuestion): QuestionBody {
  // A letter may come as "A" and as " A", so that twice as many alternatives are looked at as there are options.
  const alternatives = Math.max(fewestAlternatives, Math.min(mostByToken, 2 * question.options.length));
  return {
    messages: promptFor(questions, question, task),
    max_completion_tokens: 1,
    logprobs: true,
    top_logprobs: alternatives,
  };
}

/**
 * The softmax over the letters among the alternatives of the first token; letters that are not listed have no share. `undefined` when
 * the answer carries no log probabilities, or none of a letter.
 */
export function readByToken(question: TypedQuestion, { choices }: ChatResponse): Distribution | undefined {
  const [first] = choices[0]?.log_probs?.content ?? [];
  if (!first) return undefined;
  const listed = first.top_logprobs?.length ? first.top_logprobs : [first];
  const labels = labelsOf(question);
  const weights = labels.map(() => 0);
  for (const { token, logprob } of listed) {
    const at = labels.indexOf(plain(token));
    if (at !== -1) weights[at] = (weights[at] as number) + Math.exp(logprob);
  }
  return share(weights);
}

/** A token without the space that vocabularies write in front of words: as it is, or as one of the marks for it. */
function plain(token: string): string {
  return token.replace(/^[\s\u2581\u0120]+|\s+$/g, "");
}
