import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import type { Region } from "../../../src/portal/regions.ts";
import { openGateway } from "../support/gateway.ts";
import { stores } from "../support/rig.ts";

const entriesOf = async ({ records }: Store) =>
  (await records.list("audit", { limit: 100 })).records.map(({ record }) => record);

/** A gateway whose back end does with a new domain what the test says. */
async function open(store: Store, createDomain: NonNullable<NonNullable<Region["iaas"]>["createDomain"]>) {
  const gateway = await openGateway(store, { "eu-1": { iaas: { createDomain } } });
  return (body: unknown = { name: "d" }) => gateway.ask({ method: "POST", path: "/iaas/domains", body });
}

describe.each(stores)("the audit log: %s", (_name, openStore) => {
  it("has a change from before it begins: a process that dies in it leaves the entry", async () => {
    const store = await openStore();
    const seen: unknown[] = [];
    let tell = () => {};
    const begun = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const create = await open(store, async () => {
      seen.push(...(await entriesOf(store)));
      tell();
      return new Promise(() => {}); // the process is gone: nothing is ever heard of it again
    });
    void create();
    await begun;
    const entry = { operation: "iaas.createDomain", user_id: "usr_admin", region: "eu-1", outcome: "begun" };
    expect(seen).toMatchObject([entry]);
    expect(await entriesOf(store)).toEqual(seen);
  });

  it("has each change once, with what became of it", async () => {
    const store = await openStore();
    const create = await open(store, async ({ name }) => {
      if (name === "taken") throw new GatewayError("conflict", "The name is taken.");
      return { domain: { name } };
    });
    expect((await create()).status).toBe(200);
    expect((await create({ name: "taken" })).status).toBe(409);
    expect((await create({ nome: "d" })).status).toBe(400);
    expect((await entriesOf(store)).map(({ outcome }) => outcome)).toEqual(["ok", "conflict", "invalid_request"]);
  });

  it("says what a change is of, be it in the path or in the fields, and no secret of it", async () => {
    const store = await openStore();
    const gateway = await openGateway(store, { "eu-1": {} });
    const pair = { resource_id: "p-1", access_key: "the access key", secret_key: "the secret key" };
    await gateway.ask({ method: "PATCH", path: "/keypair", body: pair });
    await gateway.ask({ method: "POST", path: "/property", body: { property: "p", value: "v", description: "d" } });
    await gateway.ask({ method: "DELETE", path: "/users/usr_none" });
    const entries = await entriesOf(store);
    const targets = [{ resource_id: "p-1" }, { property: "p" }, { user_id: "usr_none" }];
    expect(entries.map(({ target }) => target)).toEqual(targets);
  });
});
