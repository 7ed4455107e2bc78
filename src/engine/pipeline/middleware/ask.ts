import type { ChatResponse } from "../../api/chat.ts";
import type { DecisionResponse } from "../../api/decisions.ts";
import { GatewayError } from "../../errors.ts";
import type { Provider } from "../../ports/provider.ts";
import { parseModelName } from "../../routing/model-name.ts";
import type { Target } from "../../routing/plan.ts";
import { settleEarly } from "../accounting/charge.ts";
import { askTarget } from "../attempts/target.ts";
import type { Call } from "../call/call.ts";
import { settleWhole } from "../delivery/whole.ts";
import { chatQuestion, decisionQuestion, type MiddlewareQuestion } from "./question.ts";

/** Asks models for middleware. Each question is a part of the call: its cost is on the call's bill and budgets. */
export interface ModelAccess {
  /** `deadline`: when the hook that asks is over, in milliseconds since the epoch. */
  chat(input: unknown, deadline: number): Promise<ChatResponse>;
  decide(input: unknown, deadline: number): Promise<DecisionResponse>;
  /** Resolves when no question is under way. */
  idle(): Promise<unknown>;
}

/** The questions of one call. They are asked one after the other: a call knows the bound of one request at a time. */
export function modelAccess(call: Call): ModelAccess {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    const answer = last.then(ask);
    last = answer.catch(() => {});
    return answer;
  };
  return {
    idle: () => last,
    chat: (input, deadline) => inTurn(async () => askOne(call, chatQuestion(input), deadline)),
    decide: (input, deadline) => inTurn(async () => askOne(call, decisionQuestion(input), deadline)),
  };
}

async function askOne<Answer extends object, Result>(
  call: Call,
  question: MiddlewareQuestion<Answer, Result>,
  deadline: number,
): Promise<Result> {
  const target = targetOf(call, question);
  const { facts, deadline: own, middleware: hold } = call;
  if (call.isSettled || !hold) throw new GatewayError("request_cancelled", "The request is over.");
  call.facts = question.facts;
  call.deadline = Math.min(own, deadline);
  hold.asking++;
  try {
    const outcome = await askTarget({ call, targets: [target], next: 1 }, target, (provider, attempt) =>
      question.ask(provider as Required<Provider>, attempt),
    );
    if ("error" in outcome) throw outcome.error;
    settleWhole(call, outcome, settleEarly);
    return question.read(outcome.answer);
  } finally {
    hold.asking--;
    call.facts = facts;
    call.deadline = own;
  }
}

type NamedModel = Pick<MiddlewareQuestion<object, unknown>, "model" | "method">;

/** The model that a middleware names. It is the operator's choice, so the caller's key need not allow it. */
function targetOf({ ports }: Call, { model, method }: NamedModel): Target {
  const name = parseModelName(model);
  const provider = name && ports.providers.get(name.provider);
  if (name && (provider?.[method] || provider?.chat)) return { ...name, name: model };
  const message = `\`model\`: no provider of \`${model}\` that answers a middleware is configured.`;
  throw new GatewayError("provider_not_found", message, { param: "model" });
}
