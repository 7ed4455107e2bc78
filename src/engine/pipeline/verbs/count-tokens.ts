import type { ChatRequest } from "../../api/chat.ts";
import type { Target } from "../../routing/plan.ts";
import { countChat } from "../accounting/count-tokens.ts";
import { countOnce } from "../attempts/ask-chat.ts";
import { beginTry, openTargetRun } from "../attempts/target-run.ts";
import type { Call } from "../call/call.ts";
import { firstTarget } from "../routing/resolve.ts";
import { parseChat } from "./parse-chat.ts";

/** How many tokens the prompt of a chat request has. */
export interface TokenCount {
  readonly input_tokens: number;
  /** True when the vendor did not count: the engine's own tokenizer or its rule of thumb did. */
  readonly is_estimate: boolean;
  /** The parts of the request that the vendor did not count. */
  readonly warnings: readonly string[];
}

/**
 * Counts the prompt of a chat request for the first target allowed to the caller, with the vendor's own count where it has one.
 * It is free: it is in no budget, no window and no ledger, but only a caller who may ask the model may count its prompt.
 */
export async function countTokens(call: Call, input: unknown): Promise<TokenCount> {
  const request = parseChat(input);
  const target = await firstTarget(call, "chat", request);
  return await countFor(call, target, request);
}

async function countFor(call: Call, target: Target, request: ChatRequest): Promise<TokenCount> {
  const isGuarded = Boolean(call.ports.middleware?.some(({ request: hook }) => hook) || call.options.middleware);
  if (isGuarded || !call.ports.providers.get(target.provider)?.countTokens) {
    const { prompt_tokens } = countChat(call, request, { target, model: target.model, text: "" });
    const warnings = isGuarded
      ? ["middleware: counted here, since no vendor may read a prompt that was not checked"]
      : [];
    return { input_tokens: prompt_tokens, is_estimate: true, warnings };
  }
  // A name of its own: a model that answers must not be blocked because its tokens cannot be counted.
  const counter = { ...target, name: `${target.name}:count_tokens` };
  const { attempt, answer } = await countOnce(beginTry(openTargetRun(call, counter)), request);
  return { input_tokens: answer, is_estimate: false, warnings: attempt.warnings };
}
