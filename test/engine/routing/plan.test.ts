import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFallback, parseModelName, planRoute } from "../../../src/engine/routing/index.ts";

const all = () => undefined;

describe("parseModelName", () => {
  it("splits at the first slash: a model's own name may hold slashes", () => {
    expect(parseModelName("openrouter/meta-llama/llama-4")).toEqual({
      provider: "openrouter",
      model: "meta-llama/llama-4",
    });
  });
  it.each(["gpt-5", "/gpt-5", "openai/", "", "/", " openai/gpt-5", "openai/gpt-5 ", "openai /gpt-5"])(
    "refuses %j",
    (name) => {
      expect(parseModelName(name)).toBeUndefined();
    },
  );
});

describe("parseFallback", () => {
  it.each(["azure", "azure/"])("%j keeps the asked model's name", (entry) => {
    expect(parseFallback(entry, "gpt-5")).toEqual({ provider: "azure", model: "gpt-5" });
  });
  it("a full name stands for itself", () => {
    expect(parseFallback("groq/llama", "gpt-5")).toEqual({ provider: "groq", model: "llama" });
  });
});

describe("planRoute", () => {
  const anyEntry = fc
    .tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("x", "y", "x/z"))
    .map((parts) => parts.join("/"));
  const anyQuestion = fc.record({ model: anyEntry, fallbacks: fc.array(anyEntry, { maxLength: 6 }) });

  it("puts the asked model first", () => {
    fc.assert(
      fc.property(
        anyQuestion,
        (question) => planRoute({ ...question, objection: all }).targets[0]?.name === question.model,
      ),
    );
  });
  it("keeps the order of the fallbacks", () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const asked = [question.model, ...question.fallbacks];
        const positions = planRoute({ ...question, objection: all }).targets.map(({ name }) => asked.indexOf(name));
        expect(positions).toEqual([...positions].sort((a, b) => a - b));
      }),
    );
  });
  it("names no target twice", () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const names = planRoute({ ...question, objection: all }).targets.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });
  it("leaves nothing out in silence: every entry is a target or skipped with a reason", () => {
    const objection = ({ provider }: { provider: string }) =>
      provider === "b" ? { reason: "provider_not_found" as const, message: "no b" } : undefined;
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const plan = planRoute({ ...question, objection });
        const told = new Set([...plan.targets.map(({ name }) => name), ...plan.skipped.map(({ entry }) => entry)]);
        expect([question.model, ...question.fallbacks].every((entry) => told.has(entry))).toBe(true);
        expect(plan.targets.every(({ provider }) => provider !== "b")).toBe(true);
      }),
    );
  });
  it("an asked model without a provider gives no target, whatever the fallbacks", () => {
    const plan = planRoute({ model: "gpt-5", fallbacks: ["a/x"], objection: all });
    expect(plan.targets).toEqual([]);
    expect(plan.skipped).toMatchObject([{ entry: "gpt-5", reason: "invalid_model" }]);
  });
});
