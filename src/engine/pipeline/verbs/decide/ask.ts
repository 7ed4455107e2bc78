import type { DecisionRequest } from "../../../api/decisions.ts";
import { droppedFrom, passedOn } from "../../../decisions/prompt.ts";
import { type DecisionQuestions, readQuestions } from "../../../decisions/question.ts";
import { GatewayError, isGatewayError } from "../../../errors.ts";
import type { Provider } from "../../../ports/provider.ts";
import type { Attempt } from "../../attempts/attempt.ts";
import { calibrate } from "../../calibrations/apply.ts";
import { decidesNatively } from "../../runtime/deciding.ts";
import { askChat } from "./by-chat.ts";
import { askNative, type NativeDecision } from "./natively.ts";
import type { ReadDecision } from "./read-decision.ts";

/**
 * Asks one target: a model that decides natively by its vendor's interface for that, all questions at once; any other one by chat. A
 * vendor that says that the model does not decide is asked by chat, and for the next ten minutes at once.
 */
export async function askDecision(
  provider: Required<Provider>,
  request: DecisionRequest,
  attempt: Attempt,
): Promise<ReadDecision> {
  for (const name of droppedFrom(request)) attempt.warn(`\`${name}\` has no meaning for a decision`);
  const questions = readQuestions(request);
  const answer = await askModel(provider, { request, questions }, attempt);
  return { ...answer, outcomes: await calibrate(attempt, { request, questions }, answer.outcomes) } as ReadDecision;
}

async function askModel(
  provider: Required<Provider>,
  { request, questions }: NativeDecision,
  attempt: Attempt,
): Promise<ReadDecision> {
  const { call, target } = attempt;
  const { deciders } = call.ports;
  if (decidesNatively(provider, { request, model: attempt.model, deciders, target: target.name })) {
    try {
      return await askNative(provider, { request, questions }, attempt);
    } catch (thrown) {
      const canChat = (provider as Provider).chat !== undefined && request.method !== "native";
      if (!canChat || !isNoDecider(thrown)) throw thrown;
      deciders.refuseNative(target.name);
    }
  }
  assertAnswerable(request, questions, attempt);
  return askChat(provider, { request, questions, passed: passedOn(request) }, attempt);
}

/** A vendor's 404, or a 400 that says that the model does not decide. */
function isNoDecider(thrown: unknown): boolean {
  if (!isGatewayError(thrown)) return false;
  const { status } = thrown.upstream ?? {};
  if (status === 404 || status === 405) return true;
  return status === 400 && noDecider.test(thrown.message);
}

const noDecider =
  /(?:does(?:n't| not)|cannot|can't|not) (?:support|decide|answer|a decision|available)|unsupported model|not supported|no such (?:path|endpoint|route)|only .{0,60} (?:is|are) supported/i;

/** Throws for what no chat model can answer, before any call. */
function assertAnswerable(request: DecisionRequest, { questions }: DecisionQuestions, { target }: Attempt): void {
  const { provider } = target;
  if (request.method === "native") {
    const message = `\`method\`: ${target.name} does not decide natively.`;
    throw new GatewayError("unsupported_operation", message, { param: "method", provider });
  }
  const box = questions.find(({ kind }) => kind === "box");
  if (!box) return;
  const message = `\`questions\`: ${target.name} answers no questions of the kind \`box\` (\`${box.name}\`).`;
  throw new GatewayError("unsupported_operation", message, { param: "questions", provider });
}
