import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isGatewayError } from "../../../src/engine/errors.ts";
import {
  type Conditions,
  checkRules,
  explainRules,
  findRule,
  isExcluded,
  type RouteFacts,
  type RouteRule,
  steerRequest,
} from "../../../src/engine/routing/index.ts";

const now = Date.parse("2026-11-20T08:30:00Z");
const facts: RouteFacts = {
  model: "openai/gpt-5",
  metadata: { tier: "gold", seats: 5, trial: false, nested: { a: 1 } },
  key: "key-1",
  project: "search",
  now,
  budgetLeft: 5_000_000_000,
};

describe("a rule matches", () => {
  it.each<[Conditions | undefined, boolean]>([
    [undefined, true],
    [{}, true],
    [{ model: "openai/gpt-5" }, true],
    [{ model: ["anthropic/*", "openai/*"] }, true],
    [{ model: [] }, false],
    [{ metadata: { tier: "gold" } }, true],
    [{ metadata: { tier: ["silver", "g*"], seats: "5", trial: "false" } }, true],
    [{ metadata: { tier: "gold", seats: "6" } }, false],
    [{ metadata: { nested: "*" } }, false],
    [{ metadata: { absent: "*" } }, false],
    [{ metadata: { constructor: "*" } }, false],
    [{ key: "key-*" }, true],
    [{ key: "other" }, false],
    [{ project: "search" }, true],
    [{ hours: { from: "08:00", to: "18:00" } }, true],
    [{ hours: { from: "18:00", to: "08:00" } }, false],
    [{ budgetLeft: { below: 5 } }, false],
    [{ budgetLeft: { below: 5.01 } }, true],
    [{ budgetLeft: { atLeast: 5 } }, true],
    [{ budgetLeft: { atLeast: 5.000000001 } }, false],
    [{ budgetLeft: { atLeast: 1, below: 10 } }, true],
    [{ model: "openai/*", key: "other" }, false],
  ])("%j: %s", (when, expected) => {
    expect(findRule([{ name: "r", when, use: {} }], facts) !== undefined).toBe(expected);
  });
  it.each<Conditions>([{ key: "*" }, { project: "*" }, { metadata: { tier: "*" } }, { budgetLeft: {} }])(
    "%j never holds for what is not known",
    (when) => {
      expect(findRule([{ name: "r", when, use: {} }], { model: "openai/gpt-5", now })).toBeUndefined();
    },
  );
});

const anyPattern = fc.constantFrom("*", "openai/*", "key-1", "key-2", "gold", "no");
const anyConditions: fc.Arbitrary<Conditions> = fc.record(
  {
    model: anyPattern,
    key: anyPattern,
    project: anyPattern,
    metadata: fc.dictionary(fc.constantFrom("tier", "seats"), anyPattern),
    hours: fc.constantFrom({ from: "08:00", to: "09:00" }, { from: "10:00", to: "11:00" }),
    budgetLeft: fc.constantFrom({ atLeast: 1 }, { below: 1 }),
  },
  { requiredKeys: [] },
);
const anyRules = fc
  .array(anyConditions, { maxLength: 6 })
  .map((all) => all.map((when, n): RouteRule => ({ name: `rule-${n}`, when, use: {} })));
const matches = (when: Conditions) => findRule([{ name: "r", when, use: {} }], facts) !== undefined;

describe("of several rules", () => {
  it("the first that would match alone is found", () =>
    fc.assert(
      fc.property(anyRules, (rules) => {
        expect(findRule(rules, facts)).toBe(rules.find(({ when }) => matches(when ?? {})));
      }),
    ));
  it("one with several conditions matches when each would alone", () =>
    fc.assert(
      fc.property(anyConditions, (when) => {
        const each = Object.entries(when).map(([name, wanted]) => matches({ [name]: wanted }));
        expect(matches(when)).toBe(each.every(Boolean));
      }),
    ));
  it("the explanation ends with the rule that is found", () =>
    fc.assert(
      fc.property(anyRules, (rules) => {
        const reports = explainRules(rules, facts);
        const found = findRule(rules, facts);
        expect(reports.find(({ isMatch }) => isMatch)?.rule).toBe(found?.name);
        expect(reports).toHaveLength(found ? rules.indexOf(found) + 1 : rules.length);
      }),
    ));
  it("the explanation names a condition that fails for every rule passed over", () =>
    fc.assert(
      fc.property(anyRules, (rules) => {
        for (const { isMatch, findings } of explainRules(rules, facts))
          expect(findings.some(({ holds }) => !holds)).toBe(!isMatch);
      }),
    ));
});

describe("an explanation", () => {
  it("says what was found and what was wanted", () => {
    const when: Conditions = {
      metadata: { tier: ["silver", "bronze"] },
      model: "openai/*",
      key: "key-9",
      project: [],
      hours: { from: "18:00", to: "08:00", days: ["fri"] },
      budgetLeft: { atLeast: 1, below: 2 },
    };
    const [report] = explainRules([{ name: "cheap", when, use: {} }], facts);
    expect(report?.findings.map(({ holds, words }) => `${holds}: ${words}`)).toEqual([
      "false: metadata.tier is `gold`, wanted `silver` or `bronze`",
      "true: the model is `openai/gpt-5`, wanted `openai/*`",
      "false: the key is `key-1`, wanted `key-9`",
      "false: the project is `search`, wanted nothing",
      "false: it is fri 08:30 UTC, wanted 18:00 to 08:00 on fri",
      "false: $5 of the budget are left, wanted at least $1 and below $2",
    ]);
  });
  it("says what is not known", () => {
    const when = { key: "a", budgetLeft: {} };
    const [report] = explainRules([{ name: "r", when, use: {} }], { model: "a/b", now });
    expect(report?.findings.map(({ words }) => words)).toEqual([
      "the key is absent, wanted `a`",
      "no budget is set, wanted any",
    ]);
  });
});

describe("steerRequest", () => {
  const request = { model: "openai/gpt-5", fallbacks: ["groq/llama"] };
  it("changes nothing without a rule", () => {
    expect(steerRequest(request, undefined)).toBe(request);
  });
  it("sets the model, appends fallbacks behind the caller's, names the rule", () => {
    const use = { model: "local/echo", fallbacks: ["azure"], order: "price" as const, exclude: ["groq"] };
    expect(steerRequest(request, { name: "night", use })).toEqual({
      model: "local/echo",
      fallbacks: ["groq/llama", "azure"],
      rule: "night",
      order: "price",
      exclude: ["groq"],
    });
  });
  it("keeps the model where the rule sets none", () => {
    expect(steerRequest({ model: "a/b" }, { name: "r", use: {} })).toMatchObject({ model: "a/b", fallbacks: [] });
  });
  it("excludes providers by name or pattern", () => {
    expect(isExcluded({ exclude: ["groq", "az*"] }, "azure")).toBe(true);
    expect(isExcluded({ exclude: ["groq", "az*"] }, "openai")).toBe(false);
    expect(isExcluded({}, "openai")).toBe(false);
  });
});

describe("checkRules", () => {
  it.each<[string, RouteRule[]]>([
    ["rules.0.name", [{ name: "", use: {} }]],
    [
      "rules.1.name",
      [
        { name: "a", use: {} },
        { name: "a", use: {} },
      ],
    ],
    ["rules.0.when.hours.from", [{ name: "a", when: { hours: { from: "8", to: "09:00" } }, use: {} }]],
    ["rules.0.when.hours.to", [{ name: "a", when: { hours: { from: "08:00", to: "25:00" } }, use: {} }]],
    ["rules.0.use.model", [{ name: "a", use: { model: "gpt-5" } }]],
  ])("names %s", (param, rules) => {
    let thrown: unknown;
    try {
      checkRules(rules);
    } catch (error) {
      thrown = error;
    }
    expect(isGatewayError(thrown) && { code: thrown.code, param: thrown.param }).toEqual({
      code: "invalid_configuration",
      param,
    });
  });
  it("takes rules that are right", () => {
    const when = { hours: { from: "00:00", to: "24:00" } };
    expect(() =>
      checkRules([
        { name: "a", when, use: { model: "a/b" } },
        { name: "b", use: {} },
      ]),
    ).not.toThrow();
  });
});

it("an explanation parts what it found of several fields", () => {
  const when: Conditions = { metadata: { tier: "gold", region: "eu" } };
  const [report] = explainRules([{ name: "r", when, use: {} }], facts);
  expect(report?.findings.map(({ words }) => words)).toEqual([
    "metadata.tier is `gold`, wanted `gold`; metadata.region is absent, wanted `eu`",
  ]);
});
