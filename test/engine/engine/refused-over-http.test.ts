import { describe, expect, it } from "vitest";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { createFetch, isGatewayError } from "../../../src/index.ts";
import { governed, pricesOf, vendor } from "../support/money/world.ts";

const prices = pricesOf({ "a/m": { input_cost_per_token: 1e-6, output_cost_per_token: 1e-5 } });
const messages = [{ role: "user", content: "x" }];

/** One call of each family, without a bound of its answer: it may take 4,096 tokens, which is $0.041. */
const families = {
  "OpenAI, without a prefix": { path: "/v1/chat/completions", body: { model: "a/m", messages } },
  OpenAI: { path: "/openai/v1/chat/completions", body: { model: "a/m", messages } },
  Responses: { path: "/openai/v1/responses", body: { model: "a/m", input: "x", store: false } },
  Anthropic: { path: "/anthropic/v1/messages", body: { model: "a/m", messages, max_tokens: 4_096 } },
  Gemini: {
    path: "/genai/v1beta/models/a/m:generateContent",
    body: { contents: [{ role: "user", parts: [{ text: "x" }] }] },
  },
} as const;

/** A vendor that answers when it is let go, and a gateway over it with a hard budget. */
async function open(dollars: number) {
  const plain = vendor() as Required<Provider>;
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const provider: Provider = {
    name: "a",
    async chat(request, call) {
      arrived.resolve();
      await release.promise;
      return plain.chat(request, call);
    },
  };
  const { engine, value, ask } = await governed(provider, [{ dollars, enforcement: "hard" }], { prices });
  const fetch = createFetch(engine, {});
  const post = async ({ path, body }: { readonly path: string; readonly body: object }) => {
    const headers = { "content-type": "application/json", "x-tg-key": value };
    const response = await fetch(`http://gateway${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const { error } = (await response.json()) as { error?: { message?: string; details?: object[] } };
    const header = (name: string) => response.headers.get(name);
    return { status: response.status, error, header, message: error?.message ?? "" };
  };
  return { engine, ask, post, arrived: arrived.promise, release: release.resolve };
}

describe.each(Object.entries(families))("a call that a hard budget refuses: %s", (name, call) => {
  it("may come again where calls under way hold what it needs, and is served then", async () => {
    const { ask, post, arrived, release } = await open(0.05);
    const held = ask("a/m");
    await arrived;
    const { status, message, header, error } = await post(call);
    expect(status).toBe(402);
    expect(message).toMatch(
      /\(0\.05 USD per 1d\) has 0\.00\d+ USD left until .*, and 0\.04\d+ USD held by calls under way; /,
    );
    expect(message).toMatch(/this call may take 0\.04\d+ USD\. An answer of up to \d{3} tokens would fit/);
    expect([header("retry-after"), header("retry-after-ms"), header("x-should-retry")]).toEqual(["1", "1000", null]);
    if (name === "Gemini")
      expect(error?.details).toContainEqual({ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1s" });
    release();
    await held;
    expect((await post(call)).status).toBe(200);
  });

  it("need not come again where nothing is held", async () => {
    const { post } = await open(0.01);
    const { status, message, header } = await post(call);
    expect(status).toBe(402);
    expect(message).toMatch(/has 0\.01 USD left until [^,]*; this call may take 0\.04\d+ USD: waiting does not help/);
    expect(message).toMatch(/An answer of up to 9\d\d tokens would fit/);
    expect([header("retry-after"), header("retry-after-ms"), header("x-should-retry")]).toEqual([null, null, "false"]);
  });
});

it("the engine's error says when to come back, too, only where something is held", async () => {
  const { ask, arrived, release } = await open(0.05);
  const held = ask("a/m");
  await arrived;
  const refused = await ask("a/m").catch((thrown: unknown) => thrown);
  expect(isGatewayError(refused) && [refused.code, refused.retryAfterMs]).toEqual(["budget_exceeded", 1_000]);
  release();
  await held;
  const { ask: askPoor } = await open(0.01);
  const never = await askPoor("a/m").catch((thrown: unknown) => thrown);
  expect(isGatewayError(never) && [never.code, never.retryAfterMs]).toEqual(["budget_exceeded", undefined]);
});
