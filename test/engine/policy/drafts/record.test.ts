import { describe, expect, it } from "vitest";
import {
  Customer,
  CustomerPatch,
  Project,
  VirtualKey,
  VirtualKeyDraft,
  VirtualKeyPatch,
} from "../../../../src/engine/api/governance.ts";
import {
  draftCustomer,
  draftKey,
  draftProject,
  patchKey,
  patchRecord,
  showKey,
} from "../../../../src/engine/policy/drafts.ts";
import { mintKey } from "../../../../src/engine/policy/key.ts";
import { aBudget } from "../../support/records.ts";

const birth = { id: "x_1", now: Date.parse("2026-11-20T10:00:00.000Z") };
const minted = mintKey(new Uint8Array(32).fill(9));
const later = birth.now + 1_000;

function newKey(draft: Partial<VirtualKeyDraft> = {}) {
  return draftKey(VirtualKeyDraft.parse({ name: "k", ...draft }), minted, birth);
}

describe("a new record", () => {
  it("is active, without limits, and as its schema has it", () => {
    const customer = draftCustomer({ name: "c" }, birth);
    expect(Customer.parse(customer)).toEqual(customer);
    expect(customer).toEqual({
      id: "x_1",
      name: "c",
      active: true,
      metadata: {},
      budgets: [],
      rate_limits: [],
      created_at: "2026-11-20T10:00:00.000Z",
      updated_at: "2026-11-20T10:00:00.000Z",
    });
    const project = draftProject({ name: "p", customer_id: "cus_1", description: "d", active: false }, birth);
    expect(Project.parse(project)).toEqual(project);
    expect(project).toMatchObject({ customer_id: "cus_1", description: "d", active: false });
  });

  it("of a key may ask nobody until it has entries, and keeps no value", () => {
    const key = newKey({ user: "u", starts_at: null });
    expect(key).toMatchObject({ provider_configs: [], hash: minted.hash, last4: minted.last4, user: "u" });
    expect(Object.keys(key)).not.toContain("starts_at");
    expect(JSON.stringify(key)).not.toContain(minted.value);
  });

  it("of a key is shown without its hash", () => {
    const shown = showKey(newKey());
    expect(VirtualKey.parse(shown)).toEqual(shown);
    expect(JSON.stringify(shown)).not.toContain(minted.hash);
  });
});

describe("a patch", () => {
  it("changes what it names, replaces lists, and dates the change", () => {
    const customer = draftCustomer({ name: "c", budgets: [aBudget(), aBudget()], metadata: { a: "1" } }, birth);
    const patched = patchRecord(customer, CustomerPatch.parse({ budgets: [aBudget({ max_limit: 7 })] }), later);
    expect(patched).toEqual({
      ...customer,
      budgets: [aBudget({ max_limit: 7 })],
      updated_at: "2026-11-20T10:00:01.000Z",
    });
  });

  it("with null takes away", () => {
    const key = newKey({ user: "u", expires_at: "2027-01-01T00:00:00Z", description: "d" });
    const patched = patchKey(key, VirtualKeyPatch.parse({ user: null, expires_at: null, description: null }), later);
    expect(Object.keys(patched).sort()).toEqual(Object.keys(newKey()).sort());
  });

  it("that gives a key a project takes its own customer away, and the other way round", () => {
    const inCustomer = newKey({ customer_id: "cus_1" });
    const inProject = patchKey(inCustomer, { project_id: "prj_1" }, later);
    expect([inProject.project_id, inProject.customer_id]).toEqual(["prj_1", undefined]);
    const back = patchKey(inProject, { customer_id: "cus_2" }, later);
    expect([back.project_id, back.customer_id]).toEqual([undefined, "cus_2"]);
    const nowhere = patchKey(inProject, { project_id: null }, later);
    expect([nowhere.project_id, nowhere.customer_id]).toEqual([undefined, undefined]);
  });

  it("never puts defaults where it says nothing", () => {
    expect(VirtualKeyPatch.parse({})).toEqual({});
    expect(CustomerPatch.parse({ name: "n" })).toEqual({ name: "n" });
  });
});
