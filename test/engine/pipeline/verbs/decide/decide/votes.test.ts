import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../../../adapters/stores/memory/index.ts";
import type { ChatRequest } from "../../../../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../../../../src/engine/errors.ts";
import type { Provider } from "../../../../../../src/engine/ports/provider.ts";
import { near } from "../../../../support/case.ts";
import { byToken, byTool } from "../../../../support/judges.ts";
import { pricesOf } from "../../../../support/money/world.ts";
import { engineOver } from "../../../../support/support.ts";

const question = { state: "s", questions: { q: { kind: "noul" as const } } };
const sure = (name: string, yes: number, asked: ChatRequest[] = []) =>
  byToken(name, (_question, option) => (option === "yes" ? yes : 1 - yes), asked);
const broken = (name: string): Provider => ({
  name,
  async chat() {
    throw new GatewayError("upstream_error", "no", { upstream: { status: 400, message: "no" } });
  },
});
const prices = pricesOf({
  "a/m": { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 },
  "b/m": { input_cost_per_token: 2e-6, output_cost_per_token: 2e-6 },
  "c/m": { input_cost_per_token: 4e-6, output_cost_per_token: 4e-6 },
});

describe("votes", () => {
  it("are the mean of the models' distributions; each is named, and on the bill", async () => {
    const store = memoryStore();
    const stated = byTool("c", (_question, option) => (option === "yes" ? 0.4 : 0.6));
    const { engine } = engineOver([sure("a", 0.9), sure("b", 0.5), stated], { store, prices });
    const { answers, usage, extra_fields } = await engine.decide({ ...question, model: "a/m", votes: ["b/m", "c/m"] });
    expect(answers).toMatchObject({
      q: { value: near((0.9 + 0.5 + 0.4) / 3), method: "tokens", mass: near(0.9), voters: ["a/m", "b/m", "c/m"] },
    });
    expect(extra_fields).toMatchObject({ provider: "a" });
    expect(extra_fields?.warnings).toBeUndefined();
    const [entry] = (await store.ledger.entries({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10 })).entries;
    expect(entry?.attempts.map(({ model, status }) => [model, status])).toEqual(
      expect.arrayContaining([
        ["a/m", 200],
        ["b/m", 200],
        ["c/m", 200],
      ]),
    );
    const billed = entry?.attempts.reduce((sum, { cost }) => sum + (cost ?? 0), 0) ?? 0;
    expect(usage?.prompt_tokens).toBe(100 + 100 + 250);
    expect(usage?.cost?.total_cost).toBeCloseTo(billed / 1e9, 12);
  });

  it("count without a voter that fails, which a warning names, while more than half of them answer", async () => {
    const { engine } = engineOver([sure("a", 0.9), broken("b"), sure("c", 0.5)], { retry: { retries: 0 } });
    const { answers, extra_fields } = await engine.decide({ ...question, model: "a/m", votes: ["b/m", "c/m"] });
    expect(answers).toMatchObject({ q: { value: near(0.7), voters: ["a/m", "c/m"] } });
    expect(extra_fields?.warnings).toEqual(["votes: b/m did not vote (upstream_error)"]);
    const two = engine.decide({ ...question, model: "a/m", votes: ["b/m"] });
    await expect(two).rejects.toMatchObject({ code: "upstream_error" });
    const alone = await engine.decide({ ...question, model: "a/m", votes: ["b/m"], min_votes: 1 });
    expect(alone.answers).toMatchObject({ q: { value: near(0.9), voters: ["a/m"] } });
  });

  it("go on when the model itself fails, and a voter that is not there is one that failed", async () => {
    const { engine } = engineOver([broken("a"), sure("b", 0.6), sure("c", 0.8)], { retry: { retries: 0 } });
    const { answers, extra_fields } = await engine.decide({
      ...question,
      model: "a/m",
      votes: ["b/m", "c/m", "nowhere/m"],
      min_votes: 2,
    });
    expect(answers).toMatchObject({ q: { value: near(0.7), voters: ["b/m", "c/m"] } });
    expect(extra_fields).toMatchObject({
      provider: "b",
      warnings: ["votes: a/m did not vote (upstream_error)", "votes: nowhere/m did not vote (provider_not_found)"],
    });
  });

  it("never count a model twice, be it named twice or a fallback", async () => {
    const asked: ChatRequest[] = [];
    const { engine } = engineOver([broken("a"), sure("b", 0.6, asked)], { retry: { retries: 0 } });
    const twice = await engine.decide({
      ...question,
      model: "a/m",
      fallbacks: ["b/m"],
      votes: ["b/m", "b/m"],
      min_votes: 1,
    });
    expect(twice.answers).toMatchObject({ q: { value: near(0.6), voters: ["b/m"] } });
    expect(twice.extra_fields?.warnings).toContain("votes: b/m did not vote (invalid_request)");
    expect(asked).toHaveLength(1);
  });

  it("of a key are only those of models that it allows, and count as one request", async () => {
    const { engine } = engineOver([sure("a", 0.9), sure("b", 0.5)], { store: memoryStore() });
    const { value, key } = await engine.keys.create({
      name: "k",
      provider_configs: [{ provider: "a", allowed_models: ["*"] }],
      rate_limits: [{ request_max_limit: 5, request_reset_duration: "1h" }],
    });
    const decided = await engine.decide({ ...question, model: "a/m", votes: ["b/m"], min_votes: 1 }, { key: value });
    expect(decided.extra_fields?.warnings).toEqual(["votes: b/m did not vote (provider_blocked)"]);
    await engine.keys.update(key.id, {
      provider_configs: [
        { provider: "a", allowed_models: ["*"] },
        { provider: "b", allowed_models: ["*"] },
      ],
    });
    await engine.decide({ ...question, model: "a/m", votes: ["b/m"] }, { key: value });
    expect((await engine.usage.limits(key.id)).map(({ used }) => used)).toEqual([2]);
  });

  it("of which fewer than needed decide a question leave it declined", async () => {
    const { chat } = sure("b", 0.5) as Required<Provider>;
    const declining: Provider = {
      name: "b",
      async chat(request, call) {
        const answer = await chat(request, call);
        const message = { role: "assistant" as const, content: null, refusal: "I won't." };
        return { ...answer, choices: [{ index: 0, finish_reason: "stop", message }] };
      },
    };
    const { engine } = engineOver([sure("a", 0.9), declining]);
    const decided = await engine.decide({ ...question, model: "a/m", votes: ["b/m"] });
    expect(decided.answers).toMatchObject({ q: { kind: "refusal" } });
  });

  it.each([
    [{ votes: [] }, "votes"],
    [{ votes: Array.from({ length: 8 }, (_, n) => `m${n}/m`) }, "votes"],
    [{ votes: "b/m" }, "votes"],
    [{ votes: ["b/m"], min_votes: 3 }, "min_votes"],
    [{ min_votes: 1 }, "min_votes"],
    [{ votes: ["b/m"], min_votes: 0 }, "min_votes"],
    [{ votes: ["b/m"], questions: { q: { kind: "box" } } }, "votes"],
    [{ escalate: {} }, "escalate"],
    [{ escalate: { model: "b/m", margin: 2 } }, "escalate.margin"],
    [{ escalate: { model: "b/m", most: 2 } }, "escalate.most"],
    [{ escalate: { model: "b/m", max_cost: -1 } }, "escalate.max_cost"],
    [{ calibration: "no" }, "calibration"],
  ])("and the other options are refused with the field's name: %j", async (more, param) => {
    const asked: ChatRequest[] = [];
    const { engine } = engineOver([sure("a", 0.9, asked), sure("b", 0.5, asked)]);
    const failed = engine.decide({ ...question, model: "a/m", ...more } as never);
    await expect(failed).rejects.toMatchObject({ code: "invalid_request", param });
    expect(asked).toEqual([]);
  });
});
