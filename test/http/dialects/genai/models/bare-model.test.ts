import { expect, test } from "vitest";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import type { Provider } from "../../../../../src/engine/ports/provider.ts";
import { createEngine } from "../../../../../src/index.ts";

const vendors = ["openai", "anthropic", "gemini", "cohere"] as const;
const messages = [{ role: "user", content: "x" }];
const contents = [{ role: "user", parts: [{ text: "x" }] }];

function recorder(name: string, seen: string[]): Provider {
  return {
    name,
    async chat({ model }, { id }) {
      seen.push(`${name}/${model}`);
      const message = { role: "assistant" as const, content: "yes" };
      const choices = [{ index: 0, finish_reason: "stop", message }];
      return { id, object: "chat.completion", created: 1, model, choices };
    },
  };
}

test.each([
  ["/openai/v1/chat/completions", { model: "m", messages }, "openai/m"],
  ["/anthropic/v1/messages", { model: "m", max_tokens: 9, messages }, "anthropic/m"],
  ["/genai/v1beta/models/m:generateContent", { contents }, "gemini/m"],
  ["/genai/v1/models/m:generateContent", { contents }, "gemini/m"],
  ["/cohere/v2/chat", { model: "m", messages }, "cohere/m"],
])("a model without a provider is the vendor's own in its dialect: %s", async (path, body, expected) => {
  const seen: string[] = [];
  const engine = createEngine({ providers: vendors.map((name) => recorder(name, seen)), store: memoryStore() });
  const provider_configs = vendors.map((provider) => ({ provider, allowed_models: ["*"] }));
  const { value } = await engine.keys.create({ name: "k", provider_configs });
  const headers = { "content-type": "application/json", authorization: `Bearer ${value}` };
  const post = (model: object) =>
    engine.fetch(`http://engine${path}`, { method: "POST", headers, body: JSON.stringify(model) });
  expect((await post(body)).status).toBe(200);
  expect(seen).toEqual([expected]);
});

test("in no vendor's dialect it goes to nobody who is not known to have it", async () => {
  const seen: string[] = [];
  const engine = createEngine({ providers: vendors.map((name) => recorder(name, seen)), store: memoryStore() });
  const provider_configs = vendors.map((provider) => ({ provider, allowed_models: ["*"] }));
  const { value } = await engine.keys.create({ name: "k", provider_configs });
  const headers = { "content-type": "application/json", authorization: `Bearer ${value}` };
  const body = JSON.stringify({ model: "m", messages });
  const answer = await engine.fetch("http://engine/v1/chat/completions", { method: "POST", headers, body });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { code: "invalid_model", param: "model" } });
  expect(seen).toEqual([]);
});
