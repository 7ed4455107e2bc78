import { describe, expect, it } from "vitest";
import { anthropic } from "../../../adapters/providers/anthropic/index.ts";
import { groq, ollama } from "../../../adapters/providers/compatible/index.ts";
import { gemini } from "../../../adapters/providers/gemini/index.ts";
import { openai } from "../../../adapters/providers/openai.ts";
import type { GatewayError } from "../../../src/engine/errors.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { createEngine } from "../../../src/index.ts";

const messages = [{ role: "user" as const, content: "hi" }];
const answer = {
  id: "x",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "yes" } }],
};

/** A vendor that answers each key as told: by status, with what it saw in order. */
function vendor(statuses: Record<string, number>, retryAfter?: string) {
  const seen: { key: string; model: string }[] = [];
  const send: typeof fetch = async (_input, init) => {
    const key = String(new Headers(init?.headers).get("authorization")).replace("Bearer ", "");
    seen.push({ key, model: JSON.parse(String(init?.body)).model });
    const status = statuses[key] ?? 200;
    const headers = {
      "content-type": "application/json",
      ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
    };
    if (status === 200) return new Response(JSON.stringify(answer), { headers });
    return new Response(JSON.stringify({ error: { message: `no to ${status}`, type: "t" } }), { status, headers });
  };
  return { seen, send };
}

const two = [
  { id: "one", apiKey: "key-one", weight: 1_000_000 },
  { id: "two", apiKey: "key-two", weight: 0 },
];

describe("several credentials", () => {
  it.each([401, 402, 403, 429])(
    "%i: the next credential is asked at once, and it does not count as a retry",
    async (status) => {
      const { seen, send } = vendor({ "key-one": status });
      const engine = createEngine({ providers: [openai({ credentials: two, fetch: send })], retry: { retries: 0 } });
      await engine.chat({ model: "openai/m", messages });
      expect(seen.map(({ key }) => key)).toEqual(["key-one", "key-two"]);
    },
  );
  it("429: the credential rests for all requests, until the vendor's own time", async () => {
    const { seen, send } = vendor({ "key-one": 429 }, "3600");
    const engine = createEngine({ providers: [openai({ credentials: two, fetch: send })] });
    await engine.chat({ model: "openai/m", messages });
    await engine.chat({ model: "openai/m", messages });
    expect(seen.map(({ key }) => key)).toEqual(["key-one", "key-two", "key-two"]);
  });
  it("401: the credential is dead for this request only", async () => {
    const { seen, send } = vendor({ "key-one": 401 });
    const engine = createEngine({ providers: [openai({ credentials: two, fetch: send })] });
    await engine.chat({ model: "openai/m", messages });
    await engine.chat({ model: "openai/m", messages });
    expect(seen.map(({ key }) => key)).toEqual(["key-one", "key-two", "key-one", "key-two"]);
  });
  it("when every one is refused the error says so, and holds nothing of the vendor's words on our keys", async () => {
    const { send } = vendor({ "key-one": 401, "key-two": 403 });
    const engine = createEngine({ providers: [openai({ credentials: two, fetch: send })] });
    const error = await engine.chat({ model: "openai/m", messages }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "upstream_credentials_exhausted", status: 502 });
    expect(error.message).toBe("Every credential of openai was refused, the last one with 403.");
    expect(JSON.stringify(error) + error.stack).not.toContain("no to");
    expect(JSON.stringify(error) + error.stack).not.toContain("key-");
  });
  it("an alias names the deployment, a deny list and a list of models choose the credential", async () => {
    const { seen, send } = vendor({});
    const credentials = [
      { id: "eu", apiKey: "key-eu", models: ["gpt-5"], aliases: { "gpt-5": "my-deployment" } },
      { id: "us", apiKey: "key-us", blockedModels: ["gpt-5"] },
    ];
    const engine = createEngine({ providers: [openai({ credentials, fetch: send })] });
    const { extra_fields } = await engine.chat({ model: "openai/gpt-5", messages });
    await engine.chat({ model: "openai/other", messages });
    expect(seen).toEqual([
      { key: "key-eu", model: "my-deployment" },
      { key: "key-us", model: "other" },
    ]);
    expect(extra_fields).toMatchObject({ model_requested: "openai/gpt-5", model_deployment: "my-deployment" });
  });
  it("a model that no credential is good for is 503 no_eligible_keys and asks nobody", async () => {
    const { seen, send } = vendor({});
    const engine = createEngine({
      providers: [openai({ credentials: [{ id: "a", apiKey: "key-a", models: [] }], fetch: send })],
    });
    await expect(engine.chat({ model: "openai/m", messages })).rejects.toMatchObject({
      code: "no_eligible_keys",
      status: 503,
    });
    expect(seen).toEqual([]);
  });
  it("a session sticks to one credential", async () => {
    const { seen, send } = vendor({});
    const credentials = ["a", "b", "c"].map((id) => ({ id, apiKey: `key-${id}` }));
    const engine = createEngine({ providers: [openai({ credentials, fetch: send })] });
    for (let turn = 0; turn < 12; turn++) await engine.chat({ model: "openai/m", messages }, { session: "s1" });
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
  });
});

describe("options", () => {
  const makers: Record<string, (options: never) => Provider> = { openai, anthropic, gemini, groq };
  it.each(Object.entries(makers))("%s: one key is one credential, whose value is not shown", (_name, make) => {
    const provider = make({ apiKey: "secret-key-value" } as never);
    expect(provider.credentials).toEqual([{ id: "default" }]);
    expect(JSON.stringify(provider)).not.toContain("secret");
  });
  it.each([
    [{}, "apiKey"],
    [{ credentials: [] }, "credentials"],
    [{ apiKey: "a", credentials: two }, "apiKey"],
    [{ credentials: [{ id: "a", apiKey: " " }] }, "credentials.0.apiKey"],
    [{ credentials: [{ id: "", apiKey: "x" }] }, "credentials.0.id"],
    [{ credentials: [...two, { id: "one", apiKey: "x" }] }, "credentials.2.id"],
  ])("%j is refused naming the field", (options, param) => {
    for (const make of Object.values(makers)) {
      expect(() => make(options as never)).toThrow(
        expect.objectContaining({ code: "invalid_configuration", param }) as GatewayError,
      );
    }
  });
  it("a server of one's own without a key has no credentials", () => {
    expect(ollama().credentials).toBeUndefined();
  });
});
