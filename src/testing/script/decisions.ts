import type { DecisionRequest, DecisionResponse, MapAnswer } from "../../engine/api/decisions.ts";
import { confidenceOf, expectedPosition, likeliest, normalise } from "../../engine/decisions/distribution.ts";
import { type AnswerOption, readQuestions, type TypedQuestion } from "../../engine/decisions/question.ts";
import type { ProviderCall } from "../../engine/ports/provider.ts";
import { suggest } from "../../engine/runtime/did-you-mean.ts";
import { failureOf, misfit, type ScriptTurn } from "./failure.ts";
import type { ScriptedDecision } from "./step.ts";
import { wordUsage } from "./usage.ts";

/** The answers of a step to the questions; throws where it has none to one of them, or one that the question does not have. */
export function answerDecisions(turn: ScriptTurn, request: DecisionRequest, call: ProviderCall): DecisionResponse {
  const { step, place } = turn;
  if (step.kind !== "decisions") throw failureOf(turn);
  const { questions, situation } = readQuestions(request);
  const answers = questions.map((question) => {
    const { name } = question;
    const provided = Object.hasOwn(step.answers, name) ? step.answers[name] : undefined;
    if (provided !== undefined) return [name, answerOf(provided, question, `${place}.answers.${name}`)];
    throw misfit(
      `${place}.answers`,
      `has no \`${name}\`, which the request asks for${suggest(name, Object.keys(step.answers))}`,
    );
  });
  const usage = step.usage ?? wordUsage([JSON.stringify(situation), JSON.stringify(questions)], "");
  return { id: call.id, model: call.model, answers: Object.fromEntries(answers), usage };
}

function answerOf(provided: ScriptedDecision, question: TypedQuestion, place: string): MapAnswer {
  const { kind, options } = question;
  if (provided === null) return { kind: "refusal" };
  if (kind === "box") return boxOf(provided, place);
  const shares = normalise(weightsOf(provided, question, place));
  if (!shares) throw misfit(place, "must have probabilities from 0 to 1 that sum to 1");
  if (kind === "noul") return { kind, value: shares[0] ?? 0 };
  const probabilities = Object.fromEntries(options.map(({ key }, at) => [key, shares[at] ?? 0]));
  const common = { confidence: confidenceOf(shares), probabilities };
  if (kind === "choice") return { kind, value: options[likeliest(shares)]?.key ?? "", ...common };
  const legend = Object.fromEntries(options.map(({ key, label = key }) => [key, label]));
  return { kind, value: expectedPosition(shares), legend, ...common };
}

/** The probability of each option, in their order. */
function weightsOf(provided: NonNullable<ScriptedDecision>, { kind, options }: TypedQuestion, place: string): number[] {
  if (kind === "noul" && typeof provided === "number") return [provided, 1 - provided];
  const stated = typeof provided === "object" ? provided : { [String(provided)]: 1 };
  const weights = options.map(() => 0);
  for (const [name, weight] of Object.entries(stated)) {
    const at = options.findIndex((option) => isNamed(option, name));
    if (at >= 0) weights[at] = weight;
    else
      throw misfit(
        place,
        `has \`${name}\`, which is no ${kind === "score" ? "level" : "option"} of the question${suggest(name, options.flatMap(namesOf))}`,
      );
  }
  return weights;
}

function namesOf({ key, label }: AnswerOption): string[] {
  return label === undefined ? [key] : [label, key];
}

function isNamed(option: AnswerOption, name: string): boolean {
  return namesOf(option).includes(name);
}

function boxOf(provided: NonNullable<ScriptedDecision>, place: string): MapAnswer {
  if (typeof provided === "object") {
    const { top, left, bottom, right } = provided;
    if (top !== undefined && left !== undefined && bottom !== undefined && right !== undefined)
      return { kind: "box", value: { top, left, bottom, right } };
  }
  throw misfit(place, "must be a box: `top`, `left`, `bottom` and `right`, each from 0 to 1");
}
