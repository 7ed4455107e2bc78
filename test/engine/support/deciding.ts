import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { DecisionRequest } from "../../../src/engine/api/decisions.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { always } from "./judges.ts";
import { engineOver } from "./support.ts";

export const yesNo = { model: "a/m", state: "s", questions: { q: { kind: "noul" as const } } };
/** Tokens with their probabilities. */
export type Listed = readonly (readonly [token: string, probability: number])[];

/** A model whose first token is distributed so; what it was asked is kept. */
export function listing(tokens: Listed, asked: ChatRequest[] = []): Provider {
  const top_logprobs = tokens.map(([token, probability]) => ({ token, logprob: Math.log(probability) }));
  const { chat } = always("a", {
    log_probs: { content: [{ token: tokens[0]?.[0] ?? "", logprob: 0, top_logprobs }] },
  }) as Required<Provider>;
  return {
    name: "a",
    chat(each, call) {
      asked.push(each);
      return chat(each, call);
    },
  };
}

/** Refuses once for each of these words, as a vendor that answers 400, then answers as the judge. */
export function refusing(judge: Provider, refusal: (request: ChatRequest) => string | undefined): Provider {
  const { chat } = judge as Required<Provider>;
  return {
    name: "a",
    async chat(request, call) {
      const message = refusal(request);
      if (message === undefined) return chat(request, call);
      throw new GatewayError("upstream_error", message, { upstream: { status: 400, message } });
    },
  };
}

/** The answer to a yes-or-no question, and the warnings. */
export async function ask(provider: Provider, more: Partial<DecisionRequest> = {}) {
  const { engine } = engineOver([provider], { retry: { retries: 0 } });
  const decided = await engine.decide({ ...yesNo, ...more } as DecisionRequest);
  return {
    q: (decided.answers as Record<string, Record<string, unknown>>).q,
    warnings: decided.extra_fields?.warnings,
  };
}
