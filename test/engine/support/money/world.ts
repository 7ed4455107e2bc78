import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { Budget } from "../../../../src/engine/api/governance.ts";
import type { Rates } from "../../../../src/engine/api/rates.ts";
import type { Usage } from "../../../../src/engine/api/usage.ts";
import type { Prices } from "../../../../src/engine/ports/prices.ts";
import type { Provider, ProviderBilling } from "../../../../src/engine/ports/provider.ts";
import type { EngineOptions } from "../../../../src/index.ts";
import { engineOver } from "../support.ts";

/** Usage of so many tokens in and out. */
export const tokens = (prompt: number, completion: number, more: object = {}): Usage => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...more,
});

/** What a scripted vendor says of itself and of its answers. */
interface Vendor {
  readonly name?: string;
  readonly usage?: Usage;
  /** The model that it says has answered; the asked one unless given. */
  readonly served?: string;
  readonly service_tier?: string;
  readonly billing?: ProviderBilling;
}

/** A vendor that answers the same to all, whole and streamed. */
export function vendor({ name = "a", usage = tokens(10, 10), served, service_tier, billing }: Vendor = {}): Provider {
  const tier = service_tier === undefined ? {} : { service_tier };
  const envelope = (model: string) => ({ id: "c", created: 1, model: served ?? model, usage, ...tier });
  return {
    name,
    ...(billing ? { billing } : {}),
    async chat(_request, { model }) {
      const message = { role: "assistant" as const, content: "ok" };
      return { ...envelope(model), object: "chat.completion", choices: [{ index: 0, finish_reason: "stop", message }] };
    },
    async *streamChat(_request, { model }) {
      const choices = [{ index: 0, finish_reason: "stop" as const, delta: { content: "ok" } }];
      yield { ...envelope(model), object: "chat.completion.chunk", choices };
    },
  };
}

/** Prices of models by `provider/model`; models without rates are known by their size alone. */
export function pricesOf(models: Readonly<Record<string, Rates | undefined>>): Prices {
  const facts = new Map(
    Object.entries(models).map(([name, rates]) => {
      const slash = name.indexOf("/");
      const [provider, model] = [name.slice(0, slash), name.slice(slash + 1)];
      return [name, { provider, model, max_output_tokens: 4_096, ...(rates ? { rates } : {}) }];
    }),
  );
  return {
    version: "test",
    find: (provider, model) => facts.get(`${provider}/${model}`),
    list: () => [...facts.values()],
  };
}

type DraftBudget = Partial<Budget> & { readonly dollars: number };

/** An engine and a key with budgets of a day. */
export async function governed(
  provider: Provider,
  budgets: readonly DraftBudget[],
  options: Partial<EngineOptions> = {},
) {
  const { engine, clock } = engineOver([provider], { store: memoryStore(), ...options });
  const { key, value } = await engine.keys.create({
    name: "k",
    budgets: budgets.map(({ dollars, ...more }) => ({ max_limit: dollars, reset_duration: "1d" as const, ...more })),
    provider_configs: [{ provider: "*", allowed_models: ["*"] }],
  });
  const ask = (model: string, more: object = {}) =>
    engine.chat({ model, messages: [{ role: "user", content: "x" }], ...more }, { key: value });
  /** `served`, or the code of the refusal. */
  const outcome = (model: string, more: object = {}) =>
    ask(model, more).then(
      () => "served",
      (error: { code: string }) => error.code,
    );
  const lines = async () => (await engine.usage.entries({ limit: 1 })).entries[0]?.attempts ?? [];
  const used = async () => (await engine.usage.limits(key.id)).map(({ used, used_nano }) => used_nano ?? used);
  return { engine, clock, key, value, ask, outcome, lines, used };
}
