import { describe, expect, it } from "vitest";
import { readAccess, writeAccess } from "../../../src/cli/records/access.ts";
import { readInstant } from "../../../src/cli/records/time.ts";
import { ProviderConfig } from "../../../src/engine/api/governance.ts";
import { testModels } from "../../../src/engine/policy/model-pattern.ts";

const asked = ["openai/gpt-5", "openai/o1", "groq/llama", "openrouter/meta/llama", "openrouter/x/y"];

/** Which of the asked models the options allow, by the very rules that calls are judged by. */
function allowedBy(values: Parameters<typeof readAccess>[0]): string[] {
  const entries = readAccess(values).map((entry) => ProviderConfig.parse(entry));
  return asked.filter((name) => {
    const [provider = "", ...rest] = name.split("/");
    const entry = entries.find((each) => each.provider === provider) ?? entries.find((each) => each.provider === "*");
    return entry && testModels(entry.allowed_models, entry.blocked_models)({ provider, model: rest.join("/") });
  });
}

describe("access of the command line", () => {
  it.each([
    [{ allow: ["*"] }, asked],
    [{ allow: ["openai/*"] }, ["openai/gpt-5", "openai/o1"]],
    [{ provider: ["openai"] }, ["openai/gpt-5", "openai/o1"]],
    [{ allow: ["openai/gpt-5", "groq/llama"] }, ["openai/gpt-5", "groq/llama"]],
    [{ allow: ["gpt-5"] }, ["openai/gpt-5"]],
    [{ allow: ["openrouter/meta/*"] }, ["openrouter/meta/llama"]],
    [{ allow: ["*"], block: ["openai/o1"] }, ["openai/gpt-5", "groq/llama", "openrouter/meta/llama", "openrouter/x/y"]],
    [
      { allow: ["*", "openai/*"], block: ["openai/o1"] },
      ["openai/gpt-5", "groq/llama", "openrouter/meta/llama", "openrouter/x/y"],
    ],
    [{ allow: ["openai/*", "groq/*"], block: ["o1", "llama"] }, ["openai/gpt-5"]],
  ])("%j", (values, allowed) => {
    expect(allowedBy(values)).toEqual(allowed);
  });

  it("has weights, and keeps what else is known of a provider that stays", () => {
    const before = [ProviderConfig.parse({ provider: "groq", weight: 3, allowed_models: ["*"], key_ids: ["eu"] })];
    expect(readAccess({ provider: ["groq", "openai=2"] }, before)).toMatchObject([
      { provider: "groq", weight: 3, key_ids: ["eu"] },
      { provider: "openai", weight: 2, key_ids: ["*"] },
    ]);
  });

  const limits = { budgets: [{ max_limit: 0.01, reset_duration: "1d" }], rate_limits: [] };

  it("has the limits and credentials of the entry * for a provider that * spoke for", () => {
    const before = [ProviderConfig.parse({ provider: "*", allowed_models: ["*"], key_ids: ["eu"], ...limits })];
    expect(readAccess({ allow: ["openai/*"] }, before)).toMatchObject([
      { provider: "openai", allowed_models: ["*"], key_ids: ["eu"], budgets: [{ max_limit: 0.01 }] },
    ]);
  });

  it("loses no limit of a provider that may still be asked", () => {
    const before = [ProviderConfig.parse({ provider: "openai", allowed_models: ["*"], ...limits })];
    expect(() => readAccess({ allow: ["*"] }, before)).toThrow(
      "The limits of openai ($0.01 per 1d) would be lost: only the entry * would cover it.",
    );
    expect(readAccess({ allow: ["*", "openai/*"] }, before)[1]?.budgets).toHaveLength(1);
    expect(readAccess({ allow: ["groq/*"] }, before)).toHaveLength(1);
  });

  it("blocks nothing that is not allowed", () => {
    expect(() => readAccess({ allow: ["openai/*"], block: ["groq/llama"] })).toThrow(
      "--block groq/llama blocks a model that is not allowed.",
    );
    expect(() => readAccess({ provider: ["openai=much"] })).toThrow(
      '--provider must be a name, or name=weight, not "openai=much".',
    );
  });

  it.each(["", "openai/", "/gpt-5", "/"])("is none of what names neither a model nor a provider: %j", (text) => {
    const problem = `must be a model pattern, not "${text}".`;
    expect(() => readAccess({ allow: [text] })).toThrow(`--allow ${problem}`);
    expect(() => readAccess({ allow: ["*"], block: [text] })).toThrow(`--block ${problem}`);
  });

  it("is written as it is given", () => {
    expect(writeAccess(readAccess({ allow: ["openai/*", "groq/llama"], block: ["openai/o1"] }))).toBe(
      "openai/*, groq/llama; not openai/o1",
    );
    expect(writeAccess([])).toBe("nothing");
  });
});

describe("times of the command line", () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const read = (text: string, direction: "ahead" | "back" = "ahead") =>
    new Date(readInstant("--at", text, { now, direction })).toISOString();

  it.each([
    ["2026-12-31", "2026-12-31T00:00:00.000Z"],
    ["2026-12-31T18:00Z", "2026-12-31T18:00:00.000Z"],
    ["2026-12-31T18:00:00+01:00", "2026-12-31T17:00:00.000Z"],
    ["30d", "2026-12-20T12:00:00.000Z"],
    ["90m", "2026-11-20T13:30:00.000Z"],
    ["2w", "2026-12-04T12:00:00.000Z"],
  ])("%s", (text, instant) => {
    expect(read(text)).toBe(instant);
  });

  it("are counted back where they lie behind", () => {
    expect(read("12h", "back")).toBe("2026-11-20T00:00:00.000Z");
  });

  it.each([
    "tomorrow",
    "2026-13-01",
    "2026-02-30",
    "2026-02-31T10:00:00Z",
    "2026-02-29T00:00:00+01:00",
    "2026-11-20 12:00",
    "2026-12-31T18:00",
    "5",
    "-3d",
    "99999999999999w",
  ])("that are none are refused: %s", (text) => {
    expect(() => read(text)).toThrow(/^--at must be a day such as/);
  });
});
