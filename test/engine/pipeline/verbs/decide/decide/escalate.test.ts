import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../../../adapters/stores/memory/index.ts";
import type { ChatRequest } from "../../../../../../src/engine/api/chat.ts";
import type { DecisionRequest } from "../../../../../../src/engine/api/decisions.ts";
import { GatewayError } from "../../../../../../src/engine/errors.ts";
import type { Provider } from "../../../../../../src/engine/ports/provider.ts";
import { near } from "../../../../support/case.ts";
import { askedQuestion, byToken, byTool } from "../../../../support/judges.ts";
import { pricesOf } from "../../../../support/money/world.ts";
import { engineOver } from "../../../../support/support.ts";

const rates = { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 };
const prices = pricesOf({ "a/m": rates, "b/m": { input_cost_per_token: 1e-4, output_cost_per_token: 1e-4 } });

/** Unsure of the question `close`, and sure of the others. */
const judge = (asked: ChatRequest[] = []) =>
  byToken(
    "a",
    (name, option) => (name === "close" ? (option === "yes" ? 0.52 : 0.48) : option === "yes" ? 0.9 : 0.1),
    asked,
  );
const strong = (asked: ChatRequest[] = []) => byToken("b", (_name, option) => (option === "yes" ? 0.05 : 0.95), asked);

const request: DecisionRequest = {
  model: "a/m",
  state: "s",
  questions: { clear: { kind: "noul" }, close: { kind: "noul" } },
  escalate: { model: "b/m", max_share: 1 },
};

describe("escalation", () => {
  it("asks a close question again, of the other model alone, says so, and has both on the bill", async () => {
    const asked: ChatRequest[] = [];
    const store = memoryStore();
    const { engine } = engineOver([judge(), strong(asked)], { store, prices });
    const { answers, usage, extra_fields } = await engine.decide(request);
    expect(answers).toMatchObject({
      clear: { value: near(0.9) },
      close: { value: near(0.05), escalated: { model: "b/m", from: "a/m", margin: near(0.04) } },
    });
    expect((answers as Record<string, object>).clear).not.toHaveProperty("escalated");
    expect(asked.map(askedQuestion)).toEqual(["close"]);
    expect(asked[0]).not.toHaveProperty("escalate");
    expect(extra_fields).toMatchObject({ provider: "a", model_requested: "a/m" });
    const [entry] = (await store.ledger.entries({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1 })).entries;
    expect(entry?.attempts.map(({ model, prompt_tokens }) => [model, prompt_tokens])).toEqual([
      ["a/m", 200],
      ["b/m", 100],
    ]);
    expect(usage).toMatchObject({ prompt_tokens: 300, completion_tokens: 3 });
    expect(usage?.cost?.total_cost).toBeCloseTo(202e-6 + 101e-4, 12);
  });

  it("keeps the names of questions in a list, and their order", async () => {
    const { engine } = engineOver([
      byToken("a", (name, option) => (name === "question_1" ? 0.5 : option === "yes" ? 0.9 : 0.1)),
      strong(),
    ]);
    const questions = [{ type: "predicate" as const }, { type: "predicate" as const }, { type: "predicate" as const }];
    const { answers } = await engine.decide({ model: "a/m", input: "s", questions, escalate: { model: "b/m" } });
    expect(answers).toMatchObject([
      { name: "question_0", probability: near(0.9) },
      { name: "question_1", probability: near(0.05), escalated: { model: "b/m" } },
      { name: "question_2", probability: near(0.9) },
    ]);
  });

  it("asks the same model with reasoning, which then states its probabilities by the tool", async () => {
    const asked: ChatRequest[] = [];
    const byBoth = byTool("a", (_name, option) => (option === "yes" ? 0.97 : 0.03), asked) as Required<Provider>;
    const first = judge() as Required<Provider>;
    const model: Provider = { name: "a", chat: (each, call) => (each.tools ? byBoth : first).chat(each, call) };
    const { engine } = engineOver([model]);
    const { answers } = await engine.decide({ ...request, escalate: { reasoning: { effort: "high" }, max_share: 1 } });
    expect(answers).toMatchObject({
      close: { value: near(0.97), method: "tool", escalated: { model: "a/m", from: "a/m" } },
    });
    expect(asked).toMatchObject([{ reasoning: { effort: "high" }, tool_choice: { type: "function" } }]);
  });

  it("is of at most a share of the last thousand decisions, the closest first", async () => {
    const asked: ChatRequest[] = [];
    const closest = byToken("a", (name, option) =>
      option === "yes" ? 0.5 + Number(name) / 100 : 0.5 - Number(name) / 100,
    );
    const { engine } = engineOver([closest, strong(asked)]);
    const questions = Object.fromEntries(["3", "1", "2"].map((name) => [name, { kind: "noul" as const }]));
    const { answers, extra_fields } = await engine.decide({
      ...request,
      questions,
      escalate: { model: "b/m", max_share: 0.002 },
    } as DecisionRequest);
    expect(asked.map(askedQuestion).sort()).toEqual(["1", "2"]);
    expect(answers).toMatchObject({ 3: { value: near(0.53) } });
    const refused =
      "escalate: `3` is close and was not asked again: 0.2 % of the last thousand decisions were asked again";
    expect(extra_fields?.warnings).toEqual([refused]);
  });

  it("costs at most a sum, which is held while it is under way, and does nothing where the price is unknown", async () => {
    const { engine } = engineOver([judge(), strong()], { prices });
    const questions = { close: { kind: "noul" as const } };
    const ask = async (max_cost: number, model = "b/m") => {
      const decided = await engine.decide({
        ...request,
        questions,
        escalate: { model, max_share: 1, max_cost },
      } as DecisionRequest);
      const { close } = decided.answers as Record<string, { escalated?: unknown }>;
      return [close?.escalated !== undefined, decided.extra_fields?.warnings?.join()];
    };
    const full = "escalate: `close` is close and was not asked again: `max_cost` ($0.2) leaves no room";
    expect(await ask(0.000001)).toEqual([false, full.replace("0.2", "0.000001")]);
    const outcomes = [];
    for (let each = 0; each < 20; each++) outcomes.push((await ask(0.2))[0]);
    const escalated = outcomes.filter(Boolean).length;
    expect(escalated).toBeGreaterThan(1);
    expect(escalated * 0.0101).toBeLessThanOrEqual(0.2);
    expect(outcomes.at(-1)).toBe(false);
    const unknown = engineOver([judge(), strong()], { prices: pricesOf({ "a/m": rates }) });
    const { answers, extra_fields } = await unknown.engine.decide({
      ...request,
      escalate: { model: "b/m", max_cost: 1 },
    });
    expect(answers).toMatchObject({ close: { value: near(0.52) } });
    expect(extra_fields?.warnings?.join()).toContain("what it costs is unknown");
  });

  it("leaves the first answer where it fails, is not allowed, or no budget has room for it", async () => {
    const failing: Provider = {
      name: "b",
      async chat() {
        throw new GatewayError("upstream_error", "no", { upstream: { status: 400, message: "no" } });
      },
    };
    const failed = await engineOver([judge(), failing], { retry: { retries: 0 } }).engine.decide(request);
    expect(failed.answers).toMatchObject({ close: { value: near(0.52) } });
    expect(failed.extra_fields?.warnings).toEqual([
      "escalate: `close` is close and was not asked again: it failed (upstream_error)",
    ]);
    const { engine } = engineOver([judge(), strong()], { store: memoryStore(), prices });
    const keyOf = async (providers: readonly string[], max_limit: number) => {
      const { value } = await engine.keys.create({
        name: `${providers} ${max_limit}`,
        provider_configs: providers.map((provider) => ({ provider, allowed_models: ["*"] })),
        budgets: [{ max_limit, reset_duration: "1d", enforcement: "hard" }],
      });
      return value;
    };
    const poor = await engine.decide(request, { key: await keyOf(["a", "b"], 0.01) });
    expect(poor.answers).toMatchObject({ close: { value: near(0.52) } });
    expect(poor.extra_fields?.warnings?.join()).toContain("it failed (budget_exceeded)");
    const narrow = await engine.decide(request, { key: await keyOf(["a"], 1) });
    expect(narrow.extra_fields?.warnings?.join()).toContain("was not asked again: ");
    expect(narrow.answers).toMatchObject({ close: { value: near(0.52) } });
  });

  it("follows the votes: the mean is close, and the third model decides", async () => {
    const no = byToken("c", (_name, option) => (option === "yes" ? 0.1 : 0.9));
    const { engine } = engineOver([judge(), no, strong()]);
    const { answers } = await engine.decide({
      ...request,
      questions: { clear: { kind: "noul" } },
      votes: ["c/m"],
    } as DecisionRequest);
    expect(answers).toMatchObject({
      clear: { value: near(0.05), escalated: { model: "b/m", from: "a/m", margin: near(0) } },
    });
  });
});
