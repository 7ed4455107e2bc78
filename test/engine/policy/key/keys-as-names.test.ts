import { describe, expect, it } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import type { EventMap } from "../../../../src/engine/events.ts";
import { defaultKeyPrefix, mintedHider, mintKey, tokenPrefix } from "../../../../src/engine/policy/key.ts";
import { scriptedEngine } from "../../../../src/testing/index.ts";
import { answer, messages } from "../../support/support.ts";

const everything = [{ provider: "*", allowed_models: ["*"] }];
const token = mintKey(new Uint8Array(32).fill(9), tokenPrefix).value;
const names = ["planned", "attempted", "fell_back", "refused", "defect", "settled"] satisfies (keyof EventMap)[];

/** An engine with a key, and all that was told of its calls. */
async function watched(keyPrefix = defaultKeyPrefix) {
  const engine = scriptedEngine({ "a/m": [answer("hi"), answer("hi")] }, { store: sqliteStore(":memory:"), keyPrefix });
  const told: unknown[] = [];
  for (const name of names) engine.on(name, (event: unknown) => void told.push(event));
  const { value } = await engine.keys.create({ name: "k", provider_configs: everything });
  const secret = value.slice(keyPrefix.length);
  const kept = async () => {
    const { entries } = await engine.usage.entries({ limit: 10 });
    return JSON.stringify({ told, entries });
  };
  return { engine, value, secret, kept };
}

describe("a virtual key that is sent as the name of a model", () => {
  it.each([
    ["model", (key: string) => ({ model: key })],
    ["model", (key: string) => ({ model: `a/${key}` })],
    ["model", (key: string) => ({ model: key.toUpperCase().slice(0, 6) + key.slice(6) })],
    ["model", (key: string) => ({ model: `${key}/m` })],
    ["fallbacks.1", (key: string) => ({ model: "a/m", fallbacks: ["a/n", key] })],
    ["fallbacks.0", (key: string) => ({ model: "a/m", fallbacks: [`${key}/`] })],
  ])("is refused in `%s` and told to nobody: %#", async (param, fields) => {
    const { engine, value, secret, kept } = await watched();
    const request = { ...fields(value), messages };
    const texts = { ...fields(value), input: "x", query: "x", documents: [{ text: "x" }] };
    for (const ask of [
      () => engine.chat(request, { key: value }),
      () => engine.streamChat(request, { key: value }),
      () => engine.embed(texts, { key: value }),
      () => engine.rerank(texts, { key: value }),
      () => engine.countTokens(request, { key: value }),
      () => engine.planFor(value, request),
      () => engine.chat(request),
    ]) {
      const error = await ask().then(undefined, (thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "invalid_model", status: 400, param });
      expect(JSON.stringify(error) + (error as Error).message + (error as Error).stack).not.toContain(secret);
    }
    expect(() => engine.plan(request)).toThrow(expect.objectContaining({ code: "invalid_model", param }));
    const all = await kept();
    expect(all).toContain('"reason":"invalid_model"');
    expect(all).not.toContain(secret);
    expect(engine.calls).toEqual([]);
  });

  it("is known by the prefix that is configured, and by that of access tokens", async () => {
    const { engine, value, kept } = await watched("own.");
    for (const model of [value, token, `a/${token}`]) {
      await expect(engine.chat({ model, messages })).rejects.toMatchObject({ code: "invalid_model", param: "model" });
    }
    const all = await kept();
    for (const secret of [value.slice(4), token.slice(6)]) expect(all).not.toContain(secret);
  });

  it("is no matter of what merely begins like one", async () => {
    const { engine } = await watched("a");
    const { choices } = await engine.chat({ model: "a/m", messages });
    expect(choices).toHaveLength(1);
    expect(mintedHider("a")(`a${"x".repeat(42)}`)).toBe(`a${"x".repeat(42)}`);
  });
});

describe("a virtual key that is sent as a label", () => {
  it("is hidden in the ledger, and the call is answered", async () => {
    const { engine, value, secret, kept } = await watched();
    const metadata = { plan: `of ${value}`, [value]: "x" };
    await engine.chat({ model: "a/m", messages, user: value, metadata }, { key: value });
    const { entries } = await engine.usage.entries({ limit: 1 });
    const hidden = `${defaultKeyPrefix}[redacted]`;
    expect(entries).toMatchObject([{ user: hidden, metadata: { plan: `of ${hidden}`, [hidden]: "x" } }]);
    expect(await kept()).not.toContain(secret);
  });
});
