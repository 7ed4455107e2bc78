import type { DecisionResponse, ListAnswer, MapAnswer } from "../api/decisions.ts";
import { confidenceOf, type Distribution, expectedPosition, likeliest } from "./distribution.ts";
import type { AnswerOption, DecisionQuestions, TypedQuestion } from "./question.ts";

/** The answers in the form of the question; one distribution for each question, in order. */
export function writeAnswers(
  { form, questions }: DecisionQuestions,
  distributions: readonly Distribution[],
): DecisionResponse["answers"] {
  const pairs = questions.map((question, at) => [question, distributions[at] as Distribution] as const);
  if (form === "list") return pairs.map(([question, distribution]) => writeListAnswer(question, distribution));
  return Object.fromEntries(
    pairs.map(([question, distribution]) => [question.name, writeMapAnswer(question, distribution)]),
  );
}

function writeMapAnswer({ kind, options }: TypedQuestion, distribution: Distribution): MapAnswer {
  if (kind === "noul") return { kind, value: distribution[0] as number };
  const probabilities = Object.fromEntries(options.map(({ key }, at) => [key, distribution[at] as number]));
  const confidence = confidenceOf(distribution);
  if (kind === "choice") return { kind, value: chosen(options, distribution).key, confidence, probabilities };
  const legend = Object.fromEntries(options.map(({ key, label = key }) => [key, label]));
  return { kind, value: expectedPosition(distribution), confidence, probabilities, legend };
}

function writeListAnswer({ name, kind, options }: TypedQuestion, distribution: Distribution): ListAnswer {
  const probabilities = options.map(({ value, label }, at) => {
    return { value, ...(label === undefined ? {} : { label }), probability: distribution[at] as number };
  });
  if (kind === "noul") return { type: "predicate", name, probability: distribution[0] as number, probabilities };
  const confidence = confidenceOf(distribution);
  if (kind === "score")
    return { type: "score", name, score: expectedPosition(distribution), probabilities, confidence };
  const choice = chosen(options, distribution).value as string | boolean;
  return { type: "choice", name, choice, probabilities, confidence };
}

function chosen(options: readonly AnswerOption[], distribution: Distribution): AnswerOption {
  return options[likeliest(distribution)] as AnswerOption;
}
