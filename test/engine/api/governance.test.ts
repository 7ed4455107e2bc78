import { describe, expect, it } from "vitest";
import {
  Budget,
  ModelPattern,
  ProviderConfig,
  RateLimit,
  VirtualKeyDraft,
} from "../../../src/engine/api/governance.ts";

/** `path: message` of the first fault. */
function faultOf(schema: { safeParse(value: unknown): unknown }, value: unknown): string | undefined {
  const result = schema.safeParse(value) as {
    success: boolean;
    error?: { issues: { path: PropertyKey[]; message: string; keys?: string[] }[] };
  };
  const issue = result.error?.issues[0];
  return issue && `${issue.path.join(".")}: ${issue.message}`;
}

const budget = { max_limit: 1, reset_duration: "1d" };

describe("a budget", () => {
  it("is soft and rolling unless it says otherwise", () => {
    expect(Budget.parse(budget)).toEqual({ ...budget, calendar_aligned: false, enforcement: "soft" });
  });

  it.each([
    ["max_limit", { ...budget, max_limit: -1 }],
    ["max_limit", { ...budget, max_limit: 9_000_001 }],
    ["max_limit", { ...budget, max_limit: "1" }],
    ["max_limit", { reset_duration: "1d" }],
    ["reset_duration", { ...budget, reset_duration: "2d" }],
    ["reset_duration", { ...budget, reset_duration: "1D" }],
    ["enforcement", { ...budget, enforcement: "strict" }],
    ["calendar_aligned", { ...budget, calendar_aligned: "yes" }],
    ["id", { ...budget, id: "a/b" }],
  ])("with a bad %s is refused by that name: %j", (field, value) => {
    expect(faultOf(Budget, value)).toMatch(new RegExp(`^${field}: `));
  });

  it.each(["1m", "1h", "1d", "1w", "1M", "1Q", "1Y"])("may last %s", (reset_duration) => {
    expect(Budget.safeParse({ ...budget, reset_duration }).success).toBe(true);
  });

  it("with an unknown field is refused by its name", () => {
    expect(faultOf(Budget, { ...budget, max_limits: 3 })).toContain("max_limits");
  });
});

describe("a rate limit", () => {
  it.each([
    [{ request_max_limit: 0, request_reset_duration: "1m" }],
    [{ token_max_limit: 5, token_reset_duration: "1Y" }],
    [{ token_max_limit: 5, token_reset_duration: "1Y", request_max_limit: 1, request_reset_duration: "1h" }],
  ])("may be %j", (value) => expect(RateLimit.safeParse(value).success).toBe(true));

  it.each([
    ["request_max_limit", {}],
    ["token_reset_duration", { token_max_limit: 5 }],
    ["token_max_limit", { token_reset_duration: "1m" }],
    ["request_reset_duration", { request_max_limit: 5 }],
    ["request_max_limit", { request_max_limit: 1.5, request_reset_duration: "1m" }],
  ])("without its other half, or broken, is refused by %s: %j", (field, value) => {
    expect(faultOf(RateLimit, value)).toMatch(new RegExp(`^${field}: `));
  });
});

describe("a provider's entry", () => {
  it("must say which models it allows", () => {
    expect(faultOf(ProviderConfig, { provider: "openai" })).toMatch(/^allowed_models: /);
    expect(ProviderConfig.parse({ provider: "openai", allowed_models: [] })).toEqual({
      provider: "openai",
      weight: 1,
      allowed_models: [],
      blocked_models: [],
      key_ids: ["*"],
      budgets: [],
      rate_limits: [],
    });
  });

  it.each(["gpt-5", "openai/gpt-5", "openai/*", "*", "openrouter/meta-llama/*"])("may name %s", (pattern) => {
    expect(ModelPattern.safeParse(pattern).success).toBe(true);
  });

  it.each(["", "gpt-*", "*/gpt-5", "openai/*/x", "a b", "**", "/*", "openai/gpt*"])("may not name `%s`", (pattern) => {
    expect(ModelPattern.safeParse(pattern).success).toBe(false);
  });
});

describe("a key", () => {
  const entry = { provider: "openai", allowed_models: ["*"] };

  it.each([
    ["name", { name: " " }],
    ["name", {}],
    ["provider_configs.1.provider", { name: "k", provider_configs: [entry, entry] }],
    [
      "provider_configs.0.budgets.0.max_limit",
      { name: "k", provider_configs: [{ ...entry, budgets: [{ ...budget, max_limit: -1 }] }] },
    ],
    ["expires_at", { name: "k", expires_at: "tomorrow" }],
    ["customer_id", { name: "k", customer_id: "c", project_id: "p" }],
    ["metadata", { name: "k", metadata: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`t${n}`, ""])) }],
    ["metadata.a", { name: "k", metadata: { a: 5 } }],
    ["metadata.__proto__", { name: "k", metadata: JSON.parse('{ "__proto__": "1", "a": "b" }') }],
  ])("with a bad %s is refused by that name", (field, value) => {
    expect(faultOf(VirtualKeyDraft, value)).toMatch(new RegExp(`^${field.replaceAll(".", "\\.")}: `));
  });

  it.each(["hash", "id", "created_at", "bugdets"])("cannot be given `%s`", (field) => {
    expect(faultOf(VirtualKeyDraft, { name: "k", [field]: "x" })).toContain(field);
  });
});
