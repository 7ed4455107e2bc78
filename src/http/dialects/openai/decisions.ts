import type { DecisionRequest, DecisionResponse, ListAnswer } from "../../../engine/api/decisions.ts";
import { isRecord } from "../../../engine/dialects/wire-values.ts";
import { callOptions, type RequestHandler, readInput, toJson } from "../../context.ts";
import { writeDecisionUsage } from "../../response/decision-usage.ts";
import { newNotes, warningHeaders } from "../shared/translation-warnings.ts";

/** `POST /openai/v1/decisions`. The cast is the seam: the engine checks what it is given. */
export const answerDecisions: RequestHandler = async (requestContext, context) => {
  requestContext.requestType = "decision";
  const body = await readInput(requestContext, context);
  const answer = await context.engine.decide(body as DecisionRequest, callOptions(requestContext, context));
  const headers = warningHeaders(newNotes(), answer.extra_fields?.warnings ?? []);
  return toJson(writeDecision(answer, unnamedOf(body)), headers);
};

/** The places of questions without a name: their answers have none either. */
function unnamedOf(body: unknown): ReadonlySet<number> {
  const questions = isRecord(body) && Array.isArray(body.questions) ? body.questions : [];
  return new Set(questions.flatMap((question, at) => ((question?.name ?? undefined) === undefined ? [at] : [])));
}

function writeDecision(
  { extra_fields: _extra, usage, answers, ...rest }: DecisionResponse,
  unnamed: ReadonlySet<number>,
) {
  return {
    ...rest,
    object: "decision",
    answers: Array.isArray(answers) ? answers.map((answer, at) => writeAnswer(answer, unnamed.has(at))) : answers,
    usage: writeDecisionUsage(usage),
  };
}

/** The vendor states no distribution of a predicate. */
function writeAnswer(answer: ListAnswer, isUnnamed: boolean): object {
  const name = isUnnamed ? null : answer.name;
  if (answer.type !== "predicate") return { ...answer, name };
  const { probabilities: _both, ...rest } = answer;
  return { ...rest, name };
}
