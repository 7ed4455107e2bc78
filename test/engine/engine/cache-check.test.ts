import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryCache } from "../../../adapters/caches/memory.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { embeddedVectors } from "../../../adapters/vectors/embedded/index.ts";
import { isGatewayError } from "../../../src/engine/errors.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import type { CacheOptions } from "../../../src/index.ts";
import { engineOver, record } from "../support/support.ts";

const usage = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
});

/** A provider whose vectors are all alike, and a judge that says yes with a probability, or fails. */
function world(cache: Partial<CacheOptions> = {}) {
  const state = { yes: 0.9, fault: undefined as Error | undefined, judged: [] as string[], asked: 0 };
  const answering: Provider = {
    name: "a",
    async chat(_request, { id, model }) {
      state.asked += 1;
      const message = { role: "assistant" as const, content: String(state.asked) };
      const choices = [{ index: 0, finish_reason: "stop", message }];
      return { id, object: "chat.completion", created: 1, model, choices, usage: usage(10, 5) };
    },
    async embed(_request, { model }) {
      const data = [{ index: 0, object: "embedding", embedding: [1, 0] }];
      return { object: "list", model, data, usage: usage(7, 0) };
    },
  };
  const judge: Provider = {
    name: "j",
    async chat(request, { id, model }) {
      const text = JSON.stringify(request.messages);
      state.judged.push(text);
      if (state.fault) throw state.fault;
      // The letter of yes is the one that is shown in front of it.
      const isFirst = text.indexOf("yes") < text.indexOf("no)") || /A[^A-Z]{1,4}yes/.test(text);
      const [a, b] = isFirst ? [state.yes, 1 - state.yes] : [1 - state.yes, state.yes];
      const listed = [
        { token: "A", logprob: Math.log(a) },
        { token: "B", logprob: Math.log(b) },
      ];
      const content = [{ token: "A", logprob: Math.log(a), top_logprobs: listed }];
      const message = { role: "assistant" as const, content: "A" };
      const choices = [{ index: 0, finish_reason: "stop", message, log_probs: { content } }];
      return { id, object: "chat.completion", created: 1, model, choices, usage: usage(100, 1) };
    },
  };
  const options = {
    answers: memoryCache(),
    vectors: embeddedVectors(),
    embed: "a/e",
    check: { model: "j/m" },
    ...cache,
  };
  const { engine } = engineOver([answering, judge], { cache: options, store: memoryStore() });
  const say = (content: string, key?: string) =>
    engine.chat({ model: "a/m", messages: [{ role: "user", content }] }, key === undefined ? {} : { key });
  return { state, engine, say, events: record(engine, "cache") };
}

const [first, second] = ["What is the capital of Norway?", "capital of Norway"];

describe("a hit that a model checks", () => {
  it("is given at the threshold and above, and a miss below it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 99 }),
        fc.integer({ min: 1, max: 99 }),
        async (yesPercent, thresholdPercent) => {
          fc.pre(yesPercent !== thresholdPercent); // where they are equal, rounding decides
          const { state, say } = world({ check: { model: "j/m", threshold: thresholdPercent / 100 } });
          state.yes = yesPercent / 100;
          await say(first);
          const { extra_fields } = await say(second);
          expect(extra_fields?.cache_debug?.cache_hit).toBe(yesPercent > thresholdPercent);
          expect(state.asked).toBe(yesPercent > thresholdPercent ? 1 : 2);
        },
      ),
      { numRuns: 40 },
    );
  });
  it("shows the model both questions, and is asked only about pairs that look alike", async () => {
    const { state, say } = world();
    await say(first);
    expect(state.judged).toEqual([]);
    await say(second);
    expect(state.judged).toHaveLength(2); // both orders of yes and no
    for (const text of state.judged) for (const question of [first, second]) expect(text).toContain(question);
    await say("not the capital of Norway");
    await say(second);
    expect(state.judged).toHaveLength(4); // the negation is another question without a check; the last is asked about again
  });
  it("has the check on its bill, hit or miss", async () => {
    for (const yes of [0.95, 0.05]) {
      const { state, engine, say } = world();
      state.yes = yes;
      const { key, value } = await engine.keys.create({
        name: "k",
        budgets: [{ max_limit: 1, reset_duration: "1d", enforcement: "hard" }],
        provider_configs: [{ provider: "*", allowed_models: ["*"] }],
      });
      await say(first, value);
      await say(second, value);
      const { entries } = await engine.usage.entries({ limit: 10 });
      const checked = entries.flatMap(({ attempts }) => attempts.filter(({ provider }) => provider === "j"));
      expect(checked).toHaveLength(1);
      expect(checked[0]?.cost_nano).toBe(2 * (100 * 1_000 + 1 * 2_000)); // both orders of yes and no
      const [limit] = await engine.usage.limits(key.id);
      const spent = entries.flatMap(({ attempts }) => attempts).reduce((sum, { cost_nano }) => sum + cost_nano, 0);
      expect(limit?.used_nano).toBe(spent);
    }
  });
  it("counts as another question where the model fails, with a warning", async () => {
    const { state, say, events } = world();
    await say(first);
    state.fault = new Error("down");
    const answer = await say(second);
    expect(answer.extra_fields?.cache_debug?.cache_hit).toBe(false);
    expect(answer.extra_fields?.warnings?.join()).toContain("cache: a similar question could not be checked");
    expect(events.map(({ result }) => result)).toContain("failed");
  });
  it("costs nothing in a shadow", async () => {
    const { state, say } = world({ shadow: true });
    await say(first);
    await say(second);
    expect(state.judged).toEqual([]);
  });
});

describe("options of the check", () => {
  const refusalOf = (cache: Partial<CacheOptions>) => {
    try {
      world(cache);
    } catch (thrown) {
      return isGatewayError(thrown) ? [thrown.code, thrown.param] : thrown;
    }
    return "accepted";
  };
  it("name a model that decides, and need questions to compare", () => {
    expect(refusalOf({ check: { model: "x/m" } })).toEqual(["invalid_configuration", "cache.check.model"]);
    expect(refusalOf({ check: { model: "m" } })).toEqual(["invalid_configuration", "cache.check.model"]);
    expect(refusalOf({ check: { model: "j/m", threshold: 2 } })).toEqual([
      "invalid_configuration",
      "cache.check.threshold",
    ]);
    expect(refusalOf({ embed: undefined, vectors: undefined })).toEqual(["invalid_configuration", "cache.check"]);
  });
});
