import { describe, expect, it } from "vitest";
import { compileAccess, entryFor, type KeyPermissions } from "../../../src/engine/policy/access.ts";
import { decideTarget, listCandidates, refuseCaller } from "../../../src/engine/policy/decide.ts";
import { separateShared } from "../../../src/engine/policy/limit.ts";
import { aBudget, aCustomer, aKey, anEntry, aProject } from "../support/records.ts";

const now = Date.parse("2026-11-20T00:00:00.000Z");
const access = compileAccess({ key: aKey() });

function reasonFor(caller: {
  hasKey?: boolean;
  access?: KeyPermissions;
  isKeyRequired?: boolean;
  now?: number;
}): string | undefined {
  return refuseCaller({ hasKey: true, access: undefined, isKeyRequired: false, now, ...caller })?.reason;
}

describe("the models of a project and a customer", () => {
  const reasonOf = (records: Parameters<typeof compileAccess>[0], name: string) => {
    const [provider = "", model = ""] = name.split("/");
    const decision = decideTarget(compileAccess(records), { provider, model });
    return decision.kind === "refusal" ? decision.reason : undefined;
  };
  const key = aKey({ project_id: "prj_1", provider_configs: [anEntry({ provider: "*" })] });

  it("are all that a key may ask, whatever its entries allow", () => {
    const project = aProject({ llms: ["openai/*"] });
    expect(reasonOf({ key, project }, "openai/gpt-5")).toBeUndefined();
    expect(reasonOf({ key, project }, "groq/llama")).toBe("model_blocked");
    const customer = aCustomer({ llms: ["openai/gpt-5"] });
    expect(reasonOf({ key, project, customer }, "openai/gpt-5")).toBeUndefined();
    expect(reasonOf({ key, project, customer }, "openai/gpt-4")).toBe("model_blocked");
  });

  it("add nothing to what its entries allow; none is none", () => {
    const narrow = aKey({ provider_configs: [anEntry({ provider: "openai", allowed_models: ["gpt-5"] })] });
    expect(reasonOf({ key: narrow, customer: aCustomer({ llms: ["*"] }) }, "openai/gpt-4")).toBe("model_blocked");
    expect(reasonOf({ key, project: aProject({ llms: [] }) }, "openai/gpt-5")).toBe("model_blocked");
  });
});

describe("who may call at all", () => {
  it("a known key may", () => expect(reasonFor({ access })).toBeUndefined());

  it("an unknown key may not, even where none is required", () => {
    expect(reasonFor({})).toBe("virtual_key_not_found");
    expect(reasonFor({ isKeyRequired: true })).toBe("virtual_key_not_found");
  });

  it("nobody without a key may where one is required", () => {
    expect(reasonFor({ hasKey: false, isKeyRequired: true })).toBe("virtual_key_required");
    expect(reasonFor({ hasKey: false })).toBeUndefined();
  });

  it.each([
    ["the key", { key: aKey({ active: false }) }],
    ["its project", { key: aKey({ project_id: "prj_1" }), project: aProject({ active: false }) }],
    ["its customer", { key: aKey({ customer_id: "cus_1" }), customer: aCustomer({ active: false }) }],
  ])("not while %s is switched off", (_what, records) => {
    expect(reasonFor({ access: compileAccess(records) })).toBe("virtual_key_blocked");
  });

  it.each([
    ["project", { key: aKey({ project_id: "prj_1" }) }],
    ["customer", { key: aKey({ customer_id: "cus_1" }) }],
    ["project's customer", { key: aKey({ project_id: "prj_1" }), project: aProject({ customer_id: "cus_1" }) }],
  ])("not when its %s cannot be found", (_what, records) => {
    expect(reasonFor({ access: compileAccess(records) })).toBe("virtual_key_blocked");
  });

  it.each([
    ["disabled", { enabled: false }, "virtual_key_blocked"],
    ["not there", undefined, "virtual_key_blocked"],
    ["enabled", { enabled: true }, undefined],
  ])("a key that is bound to its user, when that one is %s", (_what, user, expected) => {
    const bound = aKey({ user: "usr_1", user_bound: true });
    expect(reasonFor({ access: compileAccess({ key: bound, user }) })).toBe(expected);
    expect(reasonFor({ access: compileAccess({ key: aKey({ user: "usr_1" }), user }) })).toBeUndefined();
  });

  it("not before its first instant, and not from its last one on", () => {
    const dated = compileAccess({
      key: aKey({ starts_at: "2026-11-20T00:00:00.000Z", expires_at: "2026-11-21T00:00:00+01:00" }),
    });
    const end = Date.parse("2026-11-20T23:00:00.000Z");
    expect([now - 1, now, end - 1, end].map((at) => reasonFor({ access: dated, now: at }))).toEqual([
      "virtual_key_blocked",
      undefined,
      undefined,
      "virtual_key_blocked",
    ]);
  });
});

describe("which target may be asked", () => {
  const provider_configs = [
    anEntry({ provider: "openai", allowed_models: ["gpt-5"], key_ids: ["first"] }),
    anEntry({ provider: "none", allowed_models: [] }),
  ];
  const narrow = compileAccess({ key: aKey({ provider_configs }) });
  const wide = compileAccess({
    key: aKey({ provider_configs: [...provider_configs, anEntry({ provider: "*", blocked_models: ["grok-4"] })] }),
  });
  const decide = (from: KeyPermissions, provider: string, model: string) => {
    const decision = decideTarget(from, { provider, model });
    return decision.kind === "grant" ? decision.entry.provider : decision.reason;
  };

  it("one whose entry allows the model", () => expect(decide(narrow, "openai", "gpt-5")).toBe("openai"));
  it("none without an entry", () => expect(decide(narrow, "anthropic", "claude")).toBe("provider_blocked"));
  it("no other model", () => expect(decide(narrow, "openai", "gpt-4")).toBe("model_blocked"));
  it("no model of an entry that allows none", () => expect(decide(narrow, "none", "gpt-5")).toBe("model_blocked"));
  it("by the entry of * where there is no other", () => {
    expect(decide(wide, "xai", "grok-3")).toBe("*");
    expect(decide(wide, "xai", "grok-4")).toBe("model_blocked");
    expect(decide(wide, "openai", "gpt-4")).toBe("model_blocked");
  });
  it("with the credentials that the entry names", () => {
    const named = entryFor(narrow, "openai");
    expect([named?.allowsCredential("first"), named?.allowsCredential("second")]).toEqual([true, false]);
    expect(entryFor(wide, "xai")?.allowsCredential("any")).toBe(true);
  });
});

describe("who may answer for a model without a provider", () => {
  const provider_configs = [
    anEntry({ provider: "a", weight: 1 }),
    anEntry({ provider: "b", weight: 3 }),
    anEntry({ provider: "spare", weight: 0 }),
    anEntry({ provider: "other", weight: 9, allowed_models: ["n"] }),
  ];
  const providers = ["a", "b", "spare", "other", "unlisted"];
  const list = (key: ReturnType<typeof aKey>, draw: number) =>
    listCandidates(compileAccess({ key }), { model: "m", providers, draw })
      .map(({ provider }) => provider)
      .join(" ");

  it("the providers that allow it, drawn by weight, the rest behind, those without weight last", () => {
    const key = aKey({ provider_configs });
    expect([0, 0.249, 0.25, 0.99].map((draw) => list(key, draw))).toEqual([
      "a b spare",
      "a b spare",
      "b a spare",
      "b a spare",
    ]);
  });

  it("every provider that * stands for", () => {
    expect(
      list(aKey({ provider_configs: [anEntry({ provider: "*" }), anEntry({ provider: "b", weight: 0 })] }), 0),
    ).toMatch(/ b$/);
  });

  it("nobody for a key without entries", () => expect(list(aKey({ provider_configs: [] }), 0.5)).toBe(""));
});

describe("the limits of a call", () => {
  it("are checked in order: request windows, token windows, budgets, each from the entry up", () => {
    const rate_limits = [
      {
        token_max_limit: 5,
        token_reset_duration: "1m" as const,
        request_max_limit: 6,
        request_reset_duration: "1h" as const,
      },
    ];
    const limits = { budgets: [aBudget({ max_limit: 0.5 })], rate_limits };
    const provider_configs = [anEntry({ provider: "openai", ...limits })];
    const key = aKey({ provider_configs, project_id: "prj_1", ...limits });
    const project = aProject({ customer_id: "cus_1", ...limits });
    const compiled = compileAccess({ key, project, customer: aCustomer(limits) });
    const told = entryFor(compiled, "openai")?.limits.map(({ unit, level, max }) => `${unit} ${level} ${max}`);
    const levels = ["entry", "key", "project", "customer"];
    expect(told).toEqual([
      ...levels.map((level) => `requests ${level} 6`),
      ...levels.map((level) => `tokens ${level} 5`),
      ...levels.map((level) => `cost ${level} 500000000`),
    ]);
    expect(compiled.limits).toHaveLength(9);
  });

  it("count by owner, unit, duration and alignment: editing a limit keeps its count, twins count together", () => {
    const budgets = [
      aBudget(),
      aBudget({ max_limit: 9, enforcement: "hard", id: "x" }),
      aBudget({ calendar_aligned: true }),
    ];
    const { limits } = compileAccess({ key: aKey({ budgets }) });
    expect(limits.map(({ counter }) => counter)).toEqual(["key/vk_1/cost/1d", "key/vk_1/cost/1d/calendar"]);
    expect(separateShared(limits).map(({ counter, max }) => [counter, max])).toEqual([
      ["key/vk_1/cost/1d", 1_000_000_000],
      ["key/vk_1/cost/1d", 9_000_000_000],
      ["key/vk_1/cost/1d/calendar", 1_000_000_000],
    ]);
  });
});
