import { expect, it, onTestFinished } from "vitest";
import { catalogue } from "../../../../../adapters/prices/catalogue/index.ts";
import { local } from "../../../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import { createEngine } from "../../../../../src/index.ts";

const messages = [{ role: "user", content: "hi" }];
const dialects: [path: string, body: object][] = [
  ["/openai/v1/chat/completions", { model: "local/echo", messages }],
  ["/openai/v1/responses", { model: "local/echo", input: "hi" }],
  ["/openai/v1/embeddings", { model: "local/minilm-l6-v2", input: "hi" }],
  ["/anthropic/v1/messages", { model: "local/echo", max_tokens: 9, messages }],
  ["/genai/v1beta/models/local/echo:generateContent", { contents: [{ parts: [{ text: "hi" }] }] }],
  ["/cohere/v2/chat", { model: "local/echo", messages }],
];

it.each(dialects)("an answer of %s tells no cost; the ledger does, under its event id", async (path, body) => {
  const rates = { input_cost_per_token: 0.001, output_cost_per_token: 0.001 };
  const prices = catalogue({ overrides: { "local/*": rates } });
  const embed = async () => ({
    object: "list",
    model: "m",
    data: [{ object: "embedding", index: 0, embedding: [1] }],
    usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 },
  });
  const engine = createEngine({ providers: [{ ...local(), embed }], store: memoryStore(), prices });
  onTestFinished(() => engine.close());
  const { value } = await engine.keys.create({
    name: "a",
    provider_configs: [{ provider: "*", allowed_models: ["*"] }],
  });
  const post = (to: string, sent: object) =>
    engine.fetch(`http://engine${to}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-tg-key": value },
      body: JSON.stringify(sent),
    });
  const answer = await post(path, body);
  expect([answer.status, JSON.stringify(await answer.json())]).toEqual([200, expect.not.stringContaining('cost"')]);
  const { entries } = await engine.usage.entries({ limit: 1 });
  expect(entries[0]?.id).toBe(answer.headers.get("x-tg-event-id"));
  expect(entries[0]?.attempts[0]?.cost).toBeGreaterThan(0);
  const own = await post("/v1/chat/completions", { model: "local/echo", messages });
  expect(await own.json()).toMatchObject({ usage: { cost: { total_cost: expect.any(Number) } } });
});
