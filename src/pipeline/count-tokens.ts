import type { ChatRequest } from "../api/chat.ts";
import { toGatewayError, withDetails } from "../errors.ts";
import type { Provider } from "../ports.ts";
import type { Target } from "../route/plan.ts";
import { endAttempt, tryOnce } from "./attempt.ts";
import { assertOpen, type Call, openCall, type Question, unlisten } from "./call.ts";
import { chat } from "./chat.ts";
import { countChat } from "./estimate.ts";
import { identify } from "./identify.ts";
import type { Ports } from "./ports.ts";
import { refusalOf, routeFor } from "./route.ts";
import { approach, beginVisit } from "./visit.ts";

/** How many tokens the prompt of a chat request has. */
export interface TokenCount {
  readonly input_tokens: number;
  /** True when the vendor was not asked: the engine's own tokenizer or its rule of thumb said it. */
  readonly is_estimate: boolean;
  /** What of the request the vendor did not count. */
  readonly warnings: readonly string[];
}

/**
 * Counts the prompt of a chat request for the first target that the caller may ask, by the vendor's own counting where it has one. The
 * question is free: it is in no budget, no window and no ledger, but only a caller who may ask the model may ask how long its prompt is.
 */
export async function countTokens(ports: Ports, question: Question): Promise<TokenCount> {
  const call = openCall(ports, "chat_completion", question);
  try {
    assertOpen(call);
    const identified = identify(call, question.options.key);
    if (identified) await identified;
    const request = chat.parse(question.input);
    const route = routeFor(ports, { request, method: "chat", access: call.access });
    const [target] = route.targets;
    if (!target) throw refusalOf(route);
    return await countFor(call, target, request);
  } catch (thrown) {
    throw withDetails(toGatewayError(thrown), { model: call.modelRequested || undefined, eventId: call.id });
  } finally {
    call.isSettled = true;
    unlisten(call);
    ports.calls.remove(call);
  }
}

async function countFor(call: Call, target: Target, request: ChatRequest): Promise<TokenCount> {
  if (!call.ports.providers.get(target.provider)?.countTokens) {
    const { prompt_tokens } = countChat(call, request, { target, model: target.model, text: "" });
    return { input_tokens: prompt_tokens, is_estimate: true, warnings: [] };
  }
  // A name of its own: a model that answers must not be left alone because its tokens cannot be counted.
  const counter = { ...target, name: `${target.name}:count_tokens` };
  const { attempt, answer } = await tryOnce(call, approach(beginVisit(call, counter), 1), (provider: Provider, asked) =>
    (provider as Required<Provider>).countTokens(request, asked),
  );
  endAttempt(call, attempt);
  return { input_tokens: answer, is_estimate: false, warnings: attempt.warnings };
}
