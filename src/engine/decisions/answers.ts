import type { DecisionResponse, ListAnswer, MapAnswer } from "../api/decisions.ts";
import { confidenceOf, type Distribution, expectedPosition, likeliest } from "./distribution.ts";
import type { QuestionOutcome, Readout } from "./outcome.ts";
import type { AnswerOption, DecisionQuestions, TypedQuestion } from "./question.ts";

/**
 * The answers in the form of the question; one outcome for each question, in order. In the map form each answer has the names of both
 * vocabularies: `kind` and `type`, `value` and the name of the kind.
 */
export function writeAnswers(
  { form, questions, threshold }: DecisionQuestions,
  outcomes: readonly QuestionOutcome[],
): DecisionResponse["answers"] {
  const pairs = questions.map((question, at) => [question, outcomes[at] as QuestionOutcome] as const);
  if (form === "list") return pairs.map(([question, outcome]) => writeListAnswer(question, outcome, threshold));
  return Object.fromEntries(
    pairs.map(([question, outcome]) => [question.name, writeMapAnswer(question, outcome, threshold)]),
  );
}

function writeMapAnswer({ kind, options }: TypedQuestion, outcome: QuestionOutcome, threshold: number): MapAnswer {
  const readout = readoutOf(outcome, threshold);
  if (outcome.kind === "refused") return { kind: "refusal", type: "refusal", ...readout };
  if (outcome.kind === "located") {
    const { box, confidence } = outcome;
    return {
      kind: "box",
      type: "box",
      value: { ...box },
      box,
      ...(confidence === undefined ? {} : { confidence }),
      ...readout,
    };
  }
  const { distribution } = outcome;
  if (kind === "noul") return { ...named("noul", distribution[0] as number), ...readout };
  const probabilities = Object.fromEntries(options.map(({ key }, at) => [key, distribution[at] as number]));
  const common = { confidence: confidenceOf(distribution), probabilities, ...readout };
  if (kind === "choice") return { ...named("choice", chosen(options, distribution).key), ...common };
  const legend = Object.fromEntries(options.map(({ key, label = key }) => [key, label]));
  return { ...named("score", expectedPosition(distribution)), ...common, legend };
}

/** A value in both vocabularies. */
function named<Kind extends string, Value>(kind: Kind, value: Value) {
  return { kind, type: kind, value, [kind]: value };
}

function readoutOf(outcome: QuestionOutcome, threshold: number) {
  const { method, mass, orders, calibration, voters, escalated }: Readout = outcome;
  const isUnsure = outcome.kind === "decided" && Math.max(...outcome.distribution) < threshold;
  return {
    method,
    ...(mass === undefined ? {} : { mass }),
    ...(isUnsure ? { abstained: true } : {}),
    ...(orders === undefined || orders === 1 ? {} : { orders }),
    ...(calibration ? { calibration: { ...calibration } } : {}),
    ...(voters ? { voters: [...voters] } : {}),
    ...(escalated ? { escalated: { ...escalated } } : {}),
  };
}

function writeListAnswer(
  { name, kind, options }: TypedQuestion,
  outcome: QuestionOutcome,
  threshold: number,
): ListAnswer {
  const readout = readoutOf(outcome, threshold);
  if (outcome.kind !== "decided") return { type: "refusal", name, ...readout };
  const { distribution } = outcome;
  const probabilities = options.map(({ value, label }, at) => {
    return { value, ...(label === undefined ? {} : { label }), probability: distribution[at] as number };
  });
  if (kind === "noul")
    return { type: "predicate", name, probability: distribution[0] as number, probabilities, ...readout };
  const common = { probabilities, confidence: confidenceOf(distribution), ...readout };
  if (kind === "score") return { type: "score", name, score: expectedPosition(distribution), ...common };
  const choice = chosen(options, distribution).value as string | boolean;
  return { type: "choice", name, choice, ...common };
}

function chosen(options: readonly AnswerOption[], distribution: Distribution): AnswerOption {
  return options[likeliest(distribution)] as AnswerOption;
}
