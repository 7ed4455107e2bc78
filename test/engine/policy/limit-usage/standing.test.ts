import { describe, expect, it } from "vitest";
import type { KeyRecords } from "../../../../src/engine/policy/access.ts";
import { isLimited, limitsOfKey } from "../../../../src/engine/policy/limit-usage.ts";
import { aBudget, aCustomer, aKey, anEntry, aProject } from "../../support/records.ts";

const limits = { budgets: [aBudget()], rate_limits: [] };
const entries = [anEntry({ provider: "openai", ...limits }), anEntry({ provider: "groq", ...limits })];
const records: KeyRecords = {
  key: aKey({ project_id: "prj_1", provider_configs: entries, ...limits }),
  project: aProject({ customer_id: "cus_1", ...limits }),
  customer: aCustomer(limits),
};

function limitedBy(...counters: string[]): boolean {
  return isLimited(limitsOfKey(records), new Set(counters));
}

describe("a key is limited", () => {
  it.each(["key/vk_1/cost/1d", "project/prj_1/cost/1d", "customer/cus_1/cost/1d"])(
    "while the budget that %s counts is used up",
    (counter) => expect(limitedBy(counter)).toBe(true),
  );

  it("while a budget of each of its entries is used up, and not before", () => {
    expect(limitedBy("entry/vk_1/openai/cost/1d")).toBe(false);
    expect(limitedBy("entry/vk_1/openai/cost/1d", "entry/vk_1/groq/cost/1d")).toBe(true);
  });

  it("by nothing of others", () => {
    expect(limitedBy("key/vk_2/cost/1d")).toBe(false);
    expect(isLimited(limitsOfKey({ key: aKey({ provider_configs: [] }) }), new Set())).toBe(false);
  });
});
