import type { DecisionRequest, DecisionResponse, MapAnswer } from "../../../engine/api/decisions.ts";
import { GatewayError } from "../../../engine/errors.ts";
import { callOptions, type RequestHandler, readFormInput, toJson } from "../../context.ts";
import { writeDecisionUsage } from "../../response/decision-usage.ts";
import { newNotes, warningHeaders } from "../shared/translation-warnings.ts";
import { readRequestParts } from "./parts.ts";

/** `POST /systemone/v1/systemone` and `POST /v1/systemone`, in JSON or in parts. The engine checks what it is given. */
export const answerSystemone: RequestHandler = async (requestContext, context) => {
  requestContext.requestType = "decision";
  const body = (await readFormInput(requestContext, context, readRequestParts)) as DecisionRequest;
  const { answers, usage, model, id, extra_fields } = await context.engine.decide(
    body,
    callOptions(requestContext, context),
  );
  const written = { id, model, answers: writeAnswers(answers), usage: { ...writeDecisionUsage(usage) } };
  return toJson(written, warningHeaders(newNotes(), extra_fields?.warnings ?? []));
};

function writeAnswers(answers: DecisionResponse["answers"]): Record<string, object> {
  if (Array.isArray(answers)) {
    const message = "`questions`: must be an object by name; `POST /v1/decisions` takes them in a list.";
    throw new GatewayError("invalid_request", message, { param: "questions" });
  }
  return Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, writeAnswer(answer)]));
}

/** The vendors' own names: `type`, and the value under the name of the type. */
function writeAnswer({ kind, value, ...rest }: MapAnswer & { readonly value?: unknown }): object {
  return value === undefined ? { ...rest, type: kind } : { ...rest, type: kind, [kind]: value };
}
