import type { DecisionRequest } from "../../../../api/decisions.ts";
import { boundDecision } from "../../../../decisions/cost-bound.ts";
import { readQuestions } from "../../../../decisions/question.ts";
import type { Target } from "../../../../routing/plan.ts";
import { boundTarget, sizesOf } from "../../../accounting/plan-charge.ts";
import { factsOf } from "../../../accounting/target-facts.ts";
import type { Call } from "../../../call/call.ts";

/**
 * The request for some of the questions, by their positions, to be asked of another model; with reasoning, which leaves no first token to
 * read, the model states its probabilities by the tool.
 */
export function againRequest(
  request: DecisionRequest,
  [target]: readonly Target[],
  positions: readonly number[],
): DecisionRequest {
  const { votes: _votes, min_votes: _least, escalate, ...rest } = onlyQuestions(request, positions);
  const { reasoning } = escalate ?? {};
  return { ...rest, model: target?.name ?? "", ...(reasoning ? { reasoning, method: "tool" } : {}) } as DecisionRequest;
}

/** The same request with only some of its questions; each keeps its name. */
function onlyQuestions(request: DecisionRequest, positions: readonly number[]): DecisionRequest {
  const names = readQuestions(request).questions.map(({ name }) => name);
  if (Array.isArray(request.questions)) {
    const { questions } = request;
    return { ...request, questions: positions.map((at) => ({ ...questions[at], name: names[at] })) } as DecisionRequest;
  }
  const { questions } = request as Extract<DecisionRequest, { state?: unknown }>;
  const entries = positions.map((at) => [names[at], questions[names[at] as string]]);
  return { ...request, questions: Object.fromEntries(entries) } as DecisionRequest;
}

/** Does some work for another request within the call: what targets may use, and how they are asked, follows from it. */
export async function withRequest<Value>(
  call: Call,
  request: DecisionRequest,
  work: () => Promise<Value>,
): Promise<Value> {
  const { facts } = call;
  call.facts = { kind: call.requestType, request, bound: (known) => boundDecision(request, known) };
  try {
    return await work();
  } finally {
    call.facts = facts;
  }
}

/** The most that asking all of some targets may cost, in nano-dollars; `undefined` where that is not known. */
export function mostCost(call: Call, targets: readonly Target[]): number | undefined {
  const at = call.ports.clock.now();
  let most = 0;
  for (const target of targets) {
    const priced = { target, at, facts: factsOf(call, target, { at }) };
    const bound = boundTarget(call, { ...priced, consumable: call.facts?.bound(sizesOf(call, priced)) })?.hard;
    if (bound === undefined) return undefined;
    most += bound;
  }
  return most;
}
