import type { DecisionRequest } from "../../api/decisions.ts";
import { applyMap } from "../../decisions/calibration/map.ts";
import type { QuestionOutcome } from "../../decisions/outcome.ts";
import type { DecisionQuestions, TypedQuestion } from "../../decisions/question.ts";
import type { Attempt } from "../attempts/attempt.ts";
import { emitDefect } from "../call/call.ts";
import { callPort } from "../runtime/port-call.ts";
import { calibrationId } from "./identity.ts";

/** The questions of a request that a model has answered. */
interface AnsweredRequest {
  readonly request: DecisionRequest;
  readonly questions: DecisionQuestions;
}

/** The outcomes with their stored calibration maps applied, where there are any and the request does not decline them. */
export async function calibrate(
  attempt: Attempt,
  { request, questions }: AnsweredRequest,
  outcomes: readonly QuestionOutcome[],
): Promise<readonly QuestionOutcome[]> {
  const { calibrations } = attempt.call.ports.decisions;
  if (!calibrations || request.calibration === false) return outcomes;
  try {
    return await Promise.all(
      outcomes.map((outcome, at) =>
        calibrateOne(attempt, request, [questions.questions[at] as TypedQuestion, outcome]),
      ),
    );
  } catch (thrown) {
    emitDefect(attempt.call, thrown);
    attempt.warn("calibration: the maps could not be read; these are the model's own probabilities");
    return outcomes;
  }
}

async function calibrateOne(
  { call, target }: Attempt,
  request: DecisionRequest,
  [question, outcome]: readonly [TypedQuestion, QuestionOutcome],
): Promise<QuestionOutcome> {
  if (outcome.kind !== "decided" || outcome.distribution.length < 2) return outcome;
  const { decisions, accounting } = call.ports;
  const id = calibrationId({ model: target.name, question, method: outcome.method, asked: request });
  const map = await callPort("store", () => decisions.calibrations?.find(id), accounting.timeouts.short);
  if (!map) return outcome;
  const { name, version, kind } = map;
  return { ...outcome, distribution: applyMap(map, outcome.distribution), calibration: { name, version, kind } };
}
