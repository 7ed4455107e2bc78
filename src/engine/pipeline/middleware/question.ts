import type { ChatResponse } from "../../api/chat.ts";
import type { DecisionResponse } from "../../api/decisions.ts";
import { boundDecision } from "../../decisions/cost-bound.ts";
import { boundChat } from "../../metering/usage-bound.ts";
import type { Provider } from "../../ports/provider.ts";
import { askChat } from "../attempts/ask-chat.ts";
import type { Attempt } from "../attempts/attempt.ts";
import type { RequestFacts } from "../call/call.ts";
import { askDecision } from "../verbs/decide/ask.ts";
import { type ReadDecision, writeDecision } from "../verbs/decide/read-decision.ts";
import { parseDecision } from "../verbs/decide/request.ts";
import { parseChat } from "../verbs/parse-chat.ts";

/** A question to one model, and how its answer is read. */
export interface MiddlewareQuestion<Answer extends object, Result> {
  readonly facts: RequestFacts;
  readonly method: "chat" | "decide";
  readonly model: string;
  readonly ask: (provider: Required<Provider>, attempt: Attempt) => Promise<Answer>;
  readonly read: (answer: Answer) => Result;
}

/** Throws `invalid_request` for what is no chat request. */
export function chatQuestion(input: unknown): MiddlewareQuestion<ChatResponse, ChatResponse> {
  const request = parseChat(input);
  const facts: RequestFacts = { kind: "chat_completion", request, bound: (known) => boundChat(request, known) };
  return {
    ...{ facts, method: "chat", model: request.model },
    ask: (provider, attempt) => askChat(provider, request, attempt),
    read: (answer) => answer,
  };
}

/** Throws `invalid_request` for what is no request for decisions. */
export function decisionQuestion(input: unknown): MiddlewareQuestion<ReadDecision, DecisionResponse> {
  const request = parseDecision(input);
  const facts: RequestFacts = { kind: "decision", request, bound: (known) => boundDecision(request, known) };
  return {
    ...{ facts, method: "decide", model: request.model },
    ask: (provider, attempt) => askDecision(provider, request, attempt),
    read: (answer) => writeDecision(request, answer),
  };
}
