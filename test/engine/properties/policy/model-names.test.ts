import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../../../adapters/prices/catalogue/index.ts";
import { testModels } from "../../../../src/engine/policy/model-pattern.ts";
import {
  createIdentify,
  findRule,
  type Identify,
  isEligible,
  parseModelName,
} from "../../../../src/engine/routing/index.ts";

const at = Date.UTC(2026, 10, 25);
const prices = catalogue();
const identify: Identify = createIdentify(({ provider, model }) => prices.find(provider, model, at)?.model);

const anyProvider = fc.constantFrom("openai", "anthropic", "gemini", "vertex", "bedrock", "azure", "mistral", "xai");
const decorate: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => `models/${name}`,
  (name) => `${name}-latest`,
  (name) => `${name}-2026-01-31`,
  (name) => `${name}-20260131`,
  (name) => `${name}-001`,
  (name) => `${name}@default`,
  (name) => `us/${name}`,
  (name) => `us.${name}`,
  (name) => name.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)/, ""),
];
const anyDecoration = fc.constantFrom(...decorate);

/** Two names of which the catalogue finds the same model, and others of the provider. */
const anyPair = anyProvider
  .chain((provider) => {
    const known = prices.list(at, provider).map(({ model }) => model);
    const anyName = fc.tuple(fc.constantFrom(...known), anyDecoration).map(([name, change]) => change(name));
    return fc.record({
      provider: fc.constant(provider),
      one: anyName,
      change: anyDecoration,
      others: fc.array(anyName, { maxLength: 4 }),
    });
  })
  .map(({ one, change, others, provider }) => ({ provider, one, other: change(one), others }))
  .filter(({ provider, one, other }) => {
    const found = prices.find(provider, one, at)?.model;
    return found !== undefined && found === prices.find(provider, other, at)?.model;
  });

describe("two names that the catalogue calls one model", () => {
  it("are allowed and blocked by the same lists", () => {
    fc.assert(
      fc.property(anyPair, fc.boolean(), ({ provider, one, other, others }, isListed) => {
        const list = isListed ? [one, ...others] : others;
        const listed = list.flatMap((name, n) => (n % 2 === 0 ? [name] : [`${provider}/${name}`]));
        for (const test of [testModels(listed, [], identify), testModels(["*"], listed, identify)])
          expect(test({ provider, model: one })).toBe(test({ provider, model: other }));
        if (!isListed) return;
        expect(testModels(listed, [], identify)({ provider, model: other })).toBe(true);
        expect(testModels(["*"], listed, identify)({ provider, model: other })).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it("are the same to rules and to credentials", () => {
    fc.assert(
      fc.property(anyPair, ({ provider, one, other, others }) => {
        const rules = [one, ...others].map((name, n) => ({
          name: `rule ${n}`,
          when: { model: `${provider}/${name}` },
          use: {},
        }));
        const ruleFor = (model: string, all = rules) =>
          findRule(all, { model: `${provider}/${model}`, identify, now: at })?.name;
        expect(ruleFor(other)).toBe("rule 0");
        expect(ruleFor(one, rules.slice(1))).toBe(ruleFor(other, rules.slice(1)));
        const context = { provider, identify };
        expect(isEligible({ id: "a", models: [one] }, other, context)).toBe(true);
        expect(isEligible({ id: "a", blockedModels: [one] }, other, context)).toBe(false);
        for (const lists of [{ models: others }, { blockedModels: others }])
          expect(isEligible({ id: "a", ...lists }, one, context)).toBe(
            isEligible({ id: "a", ...lists }, other, context),
          );
      }),
      { numRuns: 400 },
    );
  });

  it("cost the same", () => {
    fc.assert(
      fc.property(anyPair, ({ provider, one, other }) => {
        expect(prices.find(provider, one, at)?.rates).toEqual(prices.find(provider, other, at)?.rates);
      }),
    );
  });
});

it("a name that is read stays where a vendor's path puts it", () => {
  const anySegment = fc.oneof(
    fc.constantFrom("", ".", "..", "%2e", "%2E.", "a", "..a", "a.", "models", "\\..", "a\\b", "\u0000", "\n"),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(anySegment, { minLength: 1, maxLength: 5 }), (segments) => {
      const name = parseModelName(`p/${segments.join("/")}`);
      if (!name) return;
      const path = name.model.split("/").map(encodeURIComponent).join("/");
      const raw = new URL(`http://host/v1/models/${name.model.replace(/[?#]/g, "x")}/end`).pathname;
      expect(new URL(`http://host/v1/models/${path}/end`).pathname.startsWith("/v1/models/")).toBe(true);
      expect(raw.split("/")).toHaveLength(segments.join("/").split("/").length + 4);
    }),
    { numRuns: 2_000 },
  );
});
