import { type Distribution, normalise } from "./distribution.ts";
import type { Box, QuestionOutcome } from "./outcome.ts";
import type { AnswerOption, DecisionQuestions, TypedQuestion } from "./question.ts";

/** A question that was not answered as it had to be, and why. */
export interface BadAnswer {
  readonly question: string;
  readonly problem: string;
}

/** What a decision provider said, in the order of the questions; or the first answer that is missing or out of range. */
export function readAnswers(
  { questions }: DecisionQuestions,
  provided: unknown,
): readonly QuestionOutcome[] | BadAnswer {
  const outcomes: QuestionOutcome[] = [];
  for (const [position, question] of questions.entries()) {
    const outcome = readAnswer(question, findAnswer(provided, question, position));
    if (typeof outcome === "string") return { question: question.name, problem: outcome };
    outcomes.push(outcome);
  }
  return outcomes;
}

type AnswerFields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is AnswerFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** By name in the map form; in the list form by name too, or by place where the provider names none. */
function findAnswer(provided: unknown, { name }: TypedQuestion, position: number): AnswerFields | undefined {
  if (Array.isArray(provided)) {
    const named = provided.find((answer) => isFields(answer) && answer.name === name);
    const inPlace = provided[position];
    const found = named ?? (isFields(inPlace) && (inPlace.name ?? undefined) === undefined ? inPlace : undefined);
    return isFields(found) ? found : undefined;
  }
  const found = isFields(provided) && Object.hasOwn(provided, name) ? provided[name] : undefined;
  return isFields(found) ? found : undefined;
}

const method = "native" as const;

function readAnswer(question: TypedQuestion, answer: AnswerFields | undefined): QuestionOutcome | string {
  if (answer === undefined) return "is missing";
  const kind = answer.kind ?? answer.type;
  if (kind === "refusal") return { kind: "refused", method };
  if (kind !== undefined && kind !== question.kind && !(kind === "predicate" && question.kind === "noul")) {
    return `is of another kind: ${JSON.stringify(kind)}`;
  }
  if (question.kind === "box") return readBox(answer);
  const distribution = question.kind === "noul" ? readNoul(answer) : readWeights(question, answer);
  return typeof distribution === "string" ? distribution : { kind: "decided", method, distribution };
}

function readBox({ value, box = value, confidence }: AnswerFields): QuestionOutcome | string {
  if (!isBox(box)) return "is no box with its edges from 0 to 1";
  return { kind: "located", method, box, confidence: isShare(confidence) ? confidence : undefined };
}

function isBox(value: unknown): value is Box & AnswerFields {
  return isFields(value) && [value.top, value.left, value.bottom, value.right].every(isShare);
}

function isShare(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

function readNoul({ value, noul, probability }: AnswerFields): Distribution | string {
  const yes = value ?? noul ?? probability;
  if (!isShare(yes)) return "is no probability from 0 to 1";
  return [yes, 1 - yes];
}

function readWeights({ kind, options }: TypedQuestion, answer: AnswerFields): Distribution | string {
  const stated = answer.value ?? answer[kind];
  if (kind === "choice" && !options.some(({ key, value }) => stated === key || stated === value)) {
    return "is none of the options";
  }
  if (kind === "score" && !(typeof stated === "number" && stated >= 0 && stated <= options.length - 1)) {
    return "is outside the levels";
  }
  const weights = options.map((option) => weightOf(option, answer.probabilities));
  return normalise(weights) ?? "has no probabilities from 0 to 1 for every option that sum to 1";
}

function weightOf({ key, value }: AnswerOption, probabilities: unknown): unknown {
  if (Array.isArray(probabilities)) {
    return probabilities.find((entry) => isFields(entry) && entry.value === value)?.probability;
  }
  return isFields(probabilities) && Object.hasOwn(probabilities, key) ? probabilities[key] : undefined;
}
