import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../../../adapters/stores/memory/index.ts";
import { GatewayError } from "../../../../../../src/engine/errors.ts";
import type { LedgerEntry } from "../../../../../../src/engine/ports/ledger.ts";
import type { Prices } from "../../../../../../src/engine/ports/prices.ts";
import type { Provider } from "../../../../../../src/engine/ports/provider.ts";
import { belief, request } from "../../../../support/case.ts";
import { askedQuestion, byToken, byTool, usageOf } from "../../../../support/judges.ts";
import { engineOver } from "../../../../support/support.ts";

/** Dearer over 128,000 tokens of prompt, and a fee for each call. */
const rates = {
  input_cost_per_token: 1e-6,
  input_cost_per_token_above_128k_tokens: 1e-3,
  output_cost_per_token: 2e-6,
  output_cost_per_token_above_128k_tokens: 1e-3,
  input_cost_per_request: 0.001,
};
const facts = { provider: "a", model: "judge", rates, max_output_tokens: 4_096 };
const prices: Prices = { version: "tiers", find: () => facts, list: () => [facts] };

/** The same judge, with answers of that size. */
function withPrompt(judge: Provider, prompt: number): Provider {
  const { chat } = judge as Required<Provider>;
  return { ...judge, chat: async (each, call) => ({ ...(await chat(each, call)), usage: usageOf(prompt, 1) }) };
}

const entriesOf = async (store: ReturnType<typeof memoryStore>): Promise<readonly LedgerEntry[]> =>
  (await store.ledger.entries({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10 })).entries;

describe("the bill of a decision by chat", () => {
  it("sums what each call consumed and cost; no tier is reached by their sum", async () => {
    const store = memoryStore();
    const { engine } = engineOver([withPrompt(byToken("a", belief), 100_000)], { prices, store });
    const { usage } = await engine.decide(request);
    expect(usage).toMatchObject({ prompt_tokens: 300_000, completion_tokens: 3, total_tokens: 300_003 });
    expect(usage?.cost).toEqual({
      input_tokens_cost: 0.3,
      output_tokens_cost: 0.000006,
      request_cost: 0.003,
      total_cost: 0.303006,
    });
    const [entry] = await entriesOf(store);
    const [attempt] = entry?.attempts ?? [];
    expect(attempt).toMatchObject({ prompt_tokens: 300_000, cost: 303_006_000, is_estimated: false });
    expect(attempt?.items.map(({ unit, quantity }) => [unit, quantity])).toEqual(
      expect.arrayContaining([
        ["requests", 3],
        ["input_tokens", 300_000],
        ["output_tokens", 3],
      ]),
    );
  });

  it("holds the calls that gave no probabilities, too", async () => {
    const { engine } = engineOver([byTool("a", belief)], { prices });
    const { usage } = await engine.decide(request);
    expect(usage).toMatchObject({ prompt_tokens: 3 * (100 + 150), completion_tokens: 3 * (1 + 20) });
  });

  it("is written for an attempt that one bad answer failed", async () => {
    const store = memoryStore();
    const bad = byTool("a", (question, option) =>
      question === "team" ? 0.9 : belief(question, option, undefined as never),
    );
    const { engine } = engineOver([bad, byToken("b", belief)], { prices, store });
    await engine.decide({ ...request, fallbacks: ["b/judge"] });
    const [entry] = await entriesOf(store);
    expect(entry?.attempts).toMatchObject([
      { provider: "a", reason: "upstream_invalid_response" },
      { provider: "b", reason: "ok", prompt_tokens: 300 },
    ]);
    expect(entry?.attempts[0]?.prompt_tokens).toBeGreaterThan(0);
    expect(entry?.attempts[0]?.cost).toBeGreaterThan(0);
  });

  it("counts tokens that the provider did not, for the ledger alone", async () => {
    const store = memoryStore();
    const { chat } = byToken("a", belief) as Required<Provider>;
    const silent: Provider = {
      name: "a",
      async chat(each, call) {
        const { usage: _usage, ...rest } = await chat(each, call);
        return rest;
      },
    };
    const { engine } = engineOver([silent], { prices, store });
    expect((await engine.decide(request)).usage).toBeUndefined();
    const [entry] = await entriesOf(store);
    expect(entry?.attempts[0]).toMatchObject({ is_estimated: true });
    expect(entry?.attempts[0]?.prompt_tokens).toBeGreaterThan(100);
  });

  it("and those of a decision provider that says no usage", async () => {
    const store = memoryStore();
    const sure: Provider = {
      name: "a",
      decide: async (_request, { id, model }) => ({ id, model, answers: { refund: { kind: "noul", value: 0.9 } } }),
    };
    const { engine } = engineOver([sure], { prices, store });
    const questions = { refund: { kind: "noul" as const } };
    expect((await engine.decide({ ...request, questions })).usage).toBeUndefined();
    const [entry] = await entriesOf(store);
    expect(entry?.attempts).toMatchObject([{ is_estimated: true, is_unpriced: false }]);
    expect(entry?.attempts[0]?.prompt_tokens).toBeGreaterThan(10);
    expect(entry?.attempts[0]?.cost).toBeGreaterThan(1_000_000);
  });
});

it("a bad answer of a decision provider is billed by an estimate where it tells no usage", async () => {
  const store = memoryStore();
  const unsure: Provider = {
    name: "a",
    decide: async (_request, { id, model }) => ({ id, model, answers: { refund: { kind: "noul", value: 7 } } }),
  };
  const { engine } = engineOver([unsure], { prices, store });
  const questions = { refund: { kind: "noul" as const } };
  await expect(engine.decide({ ...request, questions })).rejects.toMatchObject({ code: "upstream_invalid_response" });
  const [entry] = await entriesOf(store);
  expect(entry?.attempts).toMatchObject([{ is_estimated: true, reason: "upstream_invalid_response" }]);
  expect(entry?.attempts[0]?.prompt_tokens).toBeGreaterThan(10);
});

it("a question that was answered is not asked again when another one has to be", async () => {
  const asked: string[] = [];
  const { chat } = byToken("a", belief) as Required<Provider>;
  let failures = 1;
  const flaky: Provider = {
    name: "a",
    async chat(each, call) {
      const question = askedQuestion(each);
      asked.push(question);
      await new Promise((resolve) => setImmediate(resolve));
      if (question !== "anger" || failures-- <= 0) return chat(each, call);
      await new Promise((resolve) => setImmediate(resolve));
      const upstream = { status: 503, message: "busy" };
      throw new GatewayError("upstream_error", "busy", { upstream });
    },
  };
  const { engine, clock } = engineOver([flaky], { prices });
  const deciding = engine.decide(request);
  for (let step = 0; step < 20; step++) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_000);
  }
  const { usage } = await deciding;
  expect(asked).toEqual(["refund", "team", "anger", "anger"]);
  expect(usage).toMatchObject({ prompt_tokens: 300 });
});

it("a form of a question that gave nothing to read is not asked again either: a reservation holds it once", async () => {
  const asked: string[] = [];
  const inner = byTool("a", belief) as Required<Provider>;
  let failures = 1;
  const vague: Provider = {
    name: "a",
    async chat(each, call) {
      asked.push(each.tools ? "tool" : each.response_format ? "enum" : "token");
      const told = await inner.chat(each, call);
      if (each.tools && failures-- > 0) throw new GatewayError("upstream_unreachable", "gone");
      const noise = { token: "The", logprob: -0.1 };
      const log_probs = { content: [{ ...noise, top_logprobs: [noise] }] };
      return each.tools ? told : { ...told, choices: told.choices.map((choice) => ({ ...choice, log_probs })) };
    },
  };
  const { engine, clock } = engineOver([vague], { prices });
  const deciding = engine.decide({ ...request, questions: { refund: { kind: "noul" as const } } });
  for (let step = 0; step < 10; step++) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_000);
  }
  await deciding;
  expect(asked).toEqual(["token", "enum", "tool", "tool"]);
});

it("a budget that cannot hold all the calls refuses the decision before anybody is asked", async () => {
  const asked: unknown[] = [];
  const { engine } = engineOver([byToken("a", belief, asked as never)], { prices, store: memoryStore() });
  const keyWith = async (max_limit: number) => {
    const { value } = await engine.keys.create({
      name: `with ${max_limit}`,
      provider_configs: [{ provider: "a", allowed_models: ["*"] }],
      budgets: [{ max_limit, reset_duration: "1d", enforcement: "hard" }],
    });
    return value;
  };
  await expect(engine.decide(request, { key: await keyWith(0.00001) })).rejects.toMatchObject({
    code: "budget_exceeded",
  });
  expect(asked).toEqual([]);
  const key = await keyWith(0.1);
  await engine.decide(request, { key });
  expect(asked).toHaveLength(3);
});

describe("the request that a decision makes of a chat model", () => {
  it("has no field of the caller's that would make it answer more often, or otherwise, than was reserved", async () => {
    const seen: object[] = [];
    const { chat, ...judge } = byToken("a", belief) as Required<Provider>;
    const noting: Required<Provider>["chat"] = (each, call) => {
      seen.push(each);
      return chat(each, call);
    };
    const { engine } = engineOver([{ ...judge, chat: noting }]);
    const functions = [{ name: "f", description: "x".repeat(1_000) }];
    const tools = [{ type: "function", function: { name: "f" } }];
    const sampling = {
      temperature: 0,
      top_p: 0.1,
      top_k: 1,
      stop: ["A"],
      logit_bias: { 32: 100 },
      presence_penalty: 2,
    };
    const forms = { n: 128, tools, functions, tool_choice: "required", response_format: { type: "text" } };
    const more = { ...forms, ...sampling };
    const { extra_fields } = await engine.decide({ ...request, extra: { ...more, seed: 7 } });
    for (const name of Object.keys(more))
      expect(extra_fields?.warnings).toContain(`\`${name}\` has no meaning for a decision`);
    expect(seen).toHaveLength(3);
    for (const each of seen) {
      expect(each).toMatchObject({ seed: 7, max_completion_tokens: 1 });
      for (const name of Object.keys(more)) expect(each).not.toHaveProperty(name);
    }
  });
});
