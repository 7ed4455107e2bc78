import { describe, expect, it } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { createFetch } from "../../../../src/http/server/fetch.ts";
import { createEngine, type EngineOptions } from "../../../../src/index.ts";
import { fakeClock } from "../../../../src/testing/index.ts";
import { echo, engineDouble } from "../../support/engine-double.ts";

const everything = [{ provider: "*", allowed_models: ["*"] }];
const priced = {
  version: "test",
  find: (provider: string, model: string) => ({
    provider,
    model,
    rates: { input_cost_per_token: 0, output_cost_per_token: 0.001 },
  }),
  list: () => [],
};

function governed(options: Partial<EngineOptions> = {}) {
  const clock = fakeClock({ startAt: Date.UTC(2026, 10, 20) });
  return createEngine({ providers: [local()], store: memoryStore(), prices: priced, clock, ...options });
}

type Fetch = ReturnType<typeof createFetch>;

function ask(fetch: Fetch, headers: Record<string, string> = {}, body: object = {}) {
  const request = { model: "local/echo", messages: [{ role: "user", content: "hi" }], ...body };
  return fetch("http://gateway/v1/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(request),
  });
}

async function refusalOf(answer: Promise<Response>) {
  const response = await answer;
  const { type, error } = (await response.json()) as { type: string; error: { message: string } };
  return { status: response.status, type, message: error.message, headers: response.headers };
}

describe("over HTTP a virtual key", () => {
  it("is required where the engine has a store, on every way to a model, before the body is read", async () => {
    const { fetch } = governed();
    expect(await refusalOf(ask(fetch))).toMatchObject({ status: 401, type: "virtual_key_required" });
    expect(await refusalOf(fetch("http://gateway/v1/models"))).toMatchObject({ type: "virtual_key_required" });
    expect((await fetch("http://gateway/v1/models")).headers.get("www-authenticate")).toBe('Bearer realm="tollgate"');
    const vendors = await refusalOf(ask(fetch, { authorization: "Bearer sk-proj-of-the-vendor" }));
    expect(vendors).toMatchObject({ status: 401, message: expect.stringContaining("begins with `sk-tg-`") });
    expect(vendors.message).not.toContain("sk-proj");
    const broken = fetch("http://gateway/v1/embeddings", { method: "POST", body: "{" });
    expect(await refusalOf(broken)).toMatchObject({ type: "virtual_key_required" });
    for (const path of ["/openai/v1/chat/completions", "/anthropic/v1/messages", "/cohere/v2/chat"]) {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
      expect([path, (await fetch(`http://gateway${path}`, init)).status]).toEqual([path, 401]);
    }
    expect((await fetch("http://gateway/health")).status).toBe(200);
  });

  it("is not required without a store, nor with `requireKey: false`; in process never unless the engine says so", async () => {
    expect((await ask(createEngine({ providers: [local()] }).fetch)).status).toBe(200);
    const engine = governed();
    expect((await ask(createFetch(engine, { requireKey: false }))).status).toBe(200);
    const answer = await engine.chat({ model: "local/echo", messages: [{ role: "user", content: "hi" }] });
    expect(answer.choices).toHaveLength(1);
    const without = createFetch(createEngine({ providers: [local()] }), { requireKey: true });
    expect((await ask(without)).status).toBe(401);
  });

  it("that is unknown, switched off or out of its dates is refused by name, and one that is good is not", async () => {
    const clock = fakeClock({ startAt: Date.UTC(2026, 10, 18) });
    const engine = governed({ keyPrefix: "sk-acme-", clock });
    const made = await engine.keys.create({ name: "a", provider_configs: everything });
    const expired = await engine.keys.create({
      name: "b",
      expires_at: "2026-11-19T00:00:00Z",
      provider_configs: everything,
    });
    await clock.advance(2 * 86_400_000);
    const with_ = (value: string) => ({ authorization: `Bearer ${value}` });
    expect((await ask(engine.fetch, with_(made.value))).status).toBe(200);
    expect(await refusalOf(ask(engine.fetch, with_("sk-acme-nobody")))).toMatchObject({
      status: 401,
      type: "virtual_key_not_found",
    });
    expect(await refusalOf(ask(engine.fetch, with_("sk-tg-other-prefix")))).toMatchObject({
      type: "virtual_key_required",
    });
    expect(await refusalOf(ask(engine.fetch, with_(expired.value)))).toMatchObject({
      status: 403,
      type: "virtual_key_blocked",
    });
    await engine.keys.update(made.key.id, { active: false });
    expect(await refusalOf(ask(engine.fetch, with_(made.value)))).toMatchObject({
      status: 403,
      type: "virtual_key_blocked",
    });
  });

  it.each(["/api", "/api/keys", "/api/keys/vk_1"])("is never accepted at %s", async (path) => {
    const { fetch } = governed();
    const init = { headers: { "x-api-key": "sk-tg-whatever", authorization: "Basic YTpi" } };
    expect(await refusalOf(fetch(`http://gateway${path}`, init))).toMatchObject({
      status: 401,
      type: "virtual_key_not_accepted",
    });
    expect((await fetch(`http://gateway${path}`)).status).toBe(404);
    expect((await fetch("http://gateway/apis", init)).status).toBe(404);
  });
});

describe("windows over HTTP", () => {
  async function limited(limits: { budgets?: object[]; rate_limits?: object[] }) {
    const engine = governed();
    const { value } = await engine.keys.create({ name: "a", provider_configs: everything, ...limits } as never);
    return { engine, headers: { "x-tg-key": value } };
  }
  const rates = (headers: Headers) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith("x-ratelimit-") || name === "retry-after"));

  it("are told on success, whole or streamed, and on 429 with when to come back", async () => {
    const windows = [
      { request_max_limit: 2, request_reset_duration: "1m" },
      { token_max_limit: 100_000, token_reset_duration: "1h" },
    ];
    const { engine, headers } = await limited({ rate_limits: windows });
    const first = await ask(engine.fetch, headers, { max_completion_tokens: 10 });
    expect(rates(first.headers)).toMatchObject({
      "x-ratelimit-limit-requests": "2",
      "x-ratelimit-remaining-requests": "1",
      "x-ratelimit-reset-requests": "60",
      "x-ratelimit-limit-tokens": "100000",
      "x-ratelimit-reset-tokens": "3600",
    });
    expect(Number(first.headers.get("x-ratelimit-remaining-tokens"))).toBeLessThan(100_000);
    const second = await ask(engine.fetch, headers, { stream: true });
    expect(rates(second.headers)).toMatchObject({ "x-ratelimit-remaining-requests": "0" });
    await second.text();
    const third = await refusalOf(ask(engine.fetch, headers));
    expect({ status: third.status, type: third.type }).toEqual({ status: 429, type: "request_limited" });
    expect(rates(third.headers)).toEqual({
      "retry-after": "60",
      "x-ratelimit-limit-requests": "2",
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "60",
    });
  });

  it("are told of requests also when another candidate was asked, for which none is counted", async () => {
    const down = { name: "down", chat: () => Promise.reject(new GatewayError("upstream_unreachable", "down")) };
    const engine = governed({ providers: [down, local()], retry: { retries: 0 } });
    const rate_limits = [{ request_max_limit: 9, request_reset_duration: "1m" }];
    const { value } = await engine.keys.create({ name: "a", provider_configs: everything, rate_limits } as never);
    const answer = await ask(engine.fetch, { "x-tg-key": value }, { model: "down/m", fallbacks: ["local/echo"] });
    expect(answer.status).toBe(200);
    expect(rates(answer.headers)).toMatchObject({ "x-ratelimit-remaining-requests": "8" });
  });

  it("are told when it is the tokens that ran out", async () => {
    const { engine, headers } = await limited({ rate_limits: [{ token_max_limit: 400, token_reset_duration: "1h" }] });
    const asked = () => ask(engine.fetch, headers, { max_completion_tokens: 4 });
    while ((await asked()).ok);
    const refused = await refusalOf(asked());
    expect(refused).toMatchObject({ status: 429, type: "token_limited" });
    expect(rates(refused.headers)).toEqual({
      "retry-after": "3600",
      "x-ratelimit-limit-tokens": "400",
      "x-ratelimit-remaining-tokens": expect.stringMatching(/^\d+$/),
      "x-ratelimit-reset-tokens": "3600",
    });
  });

  it("smaller than the call say that waiting does not help", async () => {
    const { engine, headers } = await limited({ rate_limits: [{ token_max_limit: 5, token_reset_duration: "1h" }] });
    for (const stream of [false, true]) {
      const refused = await refusalOf(ask(engine.fetch, headers, { stream }));
      expect(refused).toMatchObject({ status: 429, type: "token_limited" });
      expect(refused.message).toContain("waiting does not help");
      expect(rates(refused.headers)).toMatchObject({ "retry-after": "3600", "x-ratelimit-remaining-tokens": "5" });
    }
  });

  it("of money answer 402 with what is left, and nothing about coming back", async () => {
    const { engine, headers } = await limited({
      budgets: [{ max_limit: 0.01, reset_duration: "1d", enforcement: "hard" }],
    });
    const refused = await refusalOf(ask(engine.fetch, headers));
    expect(refused).toMatchObject({ status: 402, type: "budget_exceeded" });
    expect(refused.message).toMatch(/^The budget of the key \(0\.01 USD per 1d\) has 0\.01 USD left until 2026-11-21T/);
    expect(rates(refused.headers)).toEqual({});
  });

  it("are not told to who has none", async () => {
    const { engine, headers } = await limited({});
    expect(rates((await ask(engine.fetch, headers)).headers)).toEqual({});
  });
});

it("x-tg-session becomes the session of the call", async () => {
  const engine = engineDouble({ chat: echo });
  await ask(createFetch(engine), { "x-tg-session": "s-1" });
  expect(engine.asked[0]?.options.session).toBe("s-1");
});
