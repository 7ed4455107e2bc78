import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { custom, openrouter } from "../../adapters/providers/compatible/index.ts";
import { openai } from "../../adapters/providers/openai.ts";
import type { Provider } from "../../src/engine/ports/provider.ts";
import { recordedCall } from "../fixtures/native.ts";
import { type Aimock, aimockRules, startAimock } from "./aimock.ts";

let mock: Aimock;
const providers = new Map<string, Provider>();

beforeAll(async () => {
  mock = await startAimock();
  const apiKey = "sk-mock-123456";
  providers.set("openai", openai({ apiKey, baseUrl: `${mock.url}/v1` }));
  providers.set("openrouter", openrouter({ apiKey, baseUrl: mock.url }));
  providers.set("custom", custom("custom", { apiKey, baseUrl: `${mock.url}/v1` }));
});

afterAll(async () => {
  for (const provider of providers.values()) await provider.close?.();
  await mock.stop();
});

function the(name: string): Provider {
  const provider = providers.get(name);
  if (provider === undefined) throw new Error(`no ${name}`);
  return provider;
}

describe.each(["openai", "openrouter", "custom"])("%s against an independent mock in a process of its own", (name) => {
  aimockRules({ provider: () => the(name), model: "gpt-5" });
});

it("openai embeds and lists models of the mock", async () => {
  const answer = await the("openai").embed?.(
    { model: "openai/e", input: ["a", "b"] },
    recordedCall("text-embedding-3-small"),
  );
  expect(answer?.data.map(({ index, embedding }) => [index, embedding.length > 0])).toEqual([
    [0, true],
    [1, true],
  ]);
  const models = await the("openai").listModels?.(recordedCall(""));
  expect(models?.length).toBeGreaterThan(0);
});
