/**
 * What a budget holds under a burst: 100 calls at once of $0.00233 on a budget of $0.01, three waves of them. `node bench/budget.ts`
 */
import { setTimeout as after } from "node:timers/promises";
import { memoryStore } from "../adapters/stores/memory/index.ts";
import type { Provider } from "../src/engine/ports/provider.ts";
import { createEngine } from "../src/index.ts";

const usage = { prompt_tokens: 12, completion_tokens: 230, total_tokens: 242 }; // gpt-4o: $2.50 and $10 per million
const provider: Provider = {
  name: "openai",
  async chat(_request, { model }) {
    await after(20);
    const message = { role: "assistant" as const, content: "ok" };
    const choices = [{ index: 0, finish_reason: "stop", message }];
    return { id: "c", object: "chat.completion", created: 1, model, usage, choices };
  },
};

for (const enforcement of ["soft", "hard"] as const) {
  const engine = createEngine({ providers: [provider], store: memoryStore() });
  const { key, value } = await engine.keys.create({
    name: enforcement,
    budgets: [{ max_limit: 0.01, reset_duration: "1d", enforcement }],
    provider_configs: [{ provider: "*", allowed_models: ["*"] }],
  });
  const question = {
    model: "openai/gpt-4o",
    messages: [{ role: "user" as const, content: "Hi" }],
    max_completion_tokens: 230,
  };
  const served: number[] = [];
  for (let wave = 0; wave < 3; wave++) {
    const calls = Array.from({ length: 100 }, () => engine.chat(question, { key: value }));
    const outcomes = await Promise.allSettled(calls);
    served.push(outcomes.filter(({ status }) => status === "fulfilled").length);
  }
  const [limit] = await engine.usage.limits(key.id);
  console.log(`${enforcement}: served ${served.join(", ")}; spent $${(limit?.used ?? 0).toFixed(5)} of $0.01`);
  await engine.close();
}
