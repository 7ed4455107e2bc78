import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/engine/ports/store.ts";
import type { AuditEntry, StoredUser } from "../../../src/operations/records/users.ts";
import type { Region } from "../../../src/portal/regions.ts";
import { forgetOld, readRetention } from "../../../src/portal/retention.ts";
import { openGateway } from "../support/gateway.ts";
import { noon, stores } from "../support/rig.ts";

const entriesOf = async ({ records }: Store) =>
  (await records.list("audit", { limit: 1_000 })).records.map(({ record }) => record);
const credentials = [{ id: "c-1", active: true, blob: JSON.stringify({ access: "AK-1", secret: "hush-hush" }) }];
const config = { expirationSeconds: 600, expirationTimestamp: "2026-11-20T12:10:00Z", kubeconfig: "users: [cert]" };
const region: Region = {
  iaas: { credentials: async () => credentials },
  clusters: { adminKubeconfig: async () => config },
};
const day = 86_400_000;

describe.each(stores)("bounds of the audit log: %s", (_name, open) => {
  it("a secret that is read leaves an entry; a list without its secrets leaves none", async () => {
    const store = await open();
    const gateway = await openGateway(store, { "eu-1": region });
    const { ask } = gateway;
    await ask({ method: "PATCH", path: "/keypair", body: { resource_id: "p-1", access_key: "a", secret_key: "b" } });
    await ask({ method: "GET", path: "/keypair?resource_id=p-1" });
    await ask({ method: "GET", path: "/iaas/credentials/p-1" });
    await ask({ method: "GET", path: "/cluster/garden-x/shoots/s/adminkubeconfig" });
    const operations = (await entriesOf(store)).map(({ operation, outcome }) => `${operation} ${outcome}`);
    expect(operations).toEqual([
      "keypair.set ok",
      "keypair.get ok",
      "iaas.credentials ok",
      "clusters.adminKubeconfig ok",
    ]);
    expect(JSON.stringify(await entriesOf(store))).not.toMatch(/hush|cert/);
    const permissions = ["iaas_credentials-get"];
    const made = await ask({ method: "POST", path: "/users/usr_admin/tokens", body: { name: "t", permissions } });
    const headers = { "auth-token": (made.body as { value: string }).value };
    const before = (await entriesOf(store)).length;
    expect(await ask({ method: "GET", path: "/iaas/credentials/p-1", headers })).toMatchObject({ status: 200 });
    expect(await entriesOf(store)).toHaveLength(before);
  });

  it("a token counts its refusals in one entry a day, and one without any permission leaves none", async () => {
    const store = await open();
    const gateway = await openGateway(store);
    const { ask } = gateway;
    const tokenOf = async (permissions: string[]) => {
      const body = { name: `may ${permissions.join()}`, permissions };
      const made = await ask({ method: "POST", path: "/users/usr_admin/tokens", body });
      return { "auth-token": (made.body as { value: string }).value };
    };
    const [weak, none] = [await tokenOf(["users-get"]), await tokenOf([])];
    const before = await entriesOf(store);
    for (let tries = 0; tries < 20; tries++)
      for (const headers of [weak, none])
        expect(await ask({ method: "DELETE", path: "/users/usr_x", headers })).toMatchObject({ status: 403 });
    const added = (await entriesOf(store)).filter(({ id }) => !before.some((one) => one.id === id));
    expect(added).toMatchObject([{ operation: "users.delete", outcome: "permission_denied", count: 20 }]);
    await gateway.clock.advance(day);
    await ask({ method: "DELETE", path: "/users/usr_x", headers: weak });
    expect(await entriesOf(store)).toHaveLength(before.length + 2);
  });

  it("entries and ended tasks are forgotten after their time, and the oldest entries beyond their number", async () => {
    const { records } = await open();
    const common = { reseller: null, client_id: null, user_id: null };
    const at = (days: number) => new Date(noon - days * day).toISOString();
    const entry = { ...common, token_id: null, operation: "a.b", target: {}, region: "", outcome: "ok", event_id: "e" };
    for (const days of [500, 300, 200, 100])
      await records.put("audit", { ...entry, id: `a${days}`, created_at: at(days) } satisfies AuditEntry, 0);
    const task = { ...common, name: "t", owner: "u", start_at: null, read_at: null, lease_until: null, steps: [] };
    for (const [id, state, made, ended] of [
      ["old", "done", 200, 100],
      ["late", "done", 200, 10],
      ["running", "running", 200, null],
      ["draft", "draft", 200, null],
      ["new", "draft", 10, null],
    ] as const) {
      const ended_at = ended === null ? null : at(ended);
      await records.put("task", { ...task, id, state, created_at: at(made), ended_at }, 0);
    }
    await forgetOld(records, readRetention({ auditEntries: 2 }), noon);
    const idsOf = async (kind: "audit" | "task") =>
      (await records.list(kind, { limit: 10 })).records.map(({ record }) => record.id);
    expect(await idsOf("audit")).toEqual(["a200", "a100"]);
    expect((await idsOf("task")).toSorted()).toEqual(["late", "new", "running"]);
    expect(() => readRetention({ auditDays: 0 })).toThrow("retention.auditDays");
  });
});

describe.each(stores)("tokens without a recorded giver: %s", (_name, open) => {
  it("never grow beyond what their owner had when the portal first opened the store; an administrator's do", async () => {
    const store = await open();
    const gateway = await openGateway(store);
    const admin = gateway.portal.as(await gateway.portal.authenticate(gateway.token));
    const { id: user_id } = await admin.users.create({ username: "ann" });
    const parked = await admin.users.createToken({ user_id, name: "parked", permissions: ["*"] });
    const own = await admin.users.createToken({ user_id: "usr_admin", name: "own", permissions: ["*"] });
    for (const { id } of [parked, own]) {
      const stored = await store.records.get("token", id);
      if (!stored) throw new Error("there is no token");
      const { giver: _giver, ...older } = stored.record;
      await store.records.put("token", older, stored.version);
    }
    expect((await gateway.portal.authenticate(parked.value)).permissions.size).toBe(0);
    await admin.users.assignRole({ role_id: "role_administrator", user_id });
    expect((await gateway.portal.authenticate(parked.value)).permissions.size).toBe(0);
    expect((await gateway.portal.authenticate(own.value)).permissions.size).toBe(gateway.portal.rows.length);
    await admin.users.setPermissions({ user_id, token_id: parked.id, permissions: ["*"] }); // given again
    expect((await gateway.portal.authenticate(parked.value)).permissions.size).toBe(gateway.portal.rows.length);
    expect((await store.records.get("user", user_id))?.record satisfies StoredUser | undefined).toBeDefined();
  });

  it("a token loses what its giver loses, and outlives the revocation of the giver's token with no more than before", async () => {
    const gateway = await openGateway(await open());
    const { portal } = gateway;
    const admin = portal.as(await portal.authenticate(gateway.token));
    const role = await admin.users.createRole({ name: "r", permissions: ["users-get", "user_tokens-post", "ai-get"] });
    const { id: user_id } = await admin.users.create({ username: "ann", roles: [role.id] });
    const one = await admin.users.createToken({ user_id, name: "1", permissions: ["users-get", "user_tokens-post"] });
    const giver = portal.as(await portal.authenticate(one.value));
    const two = await giver.users.createToken({ user_id, name: "2", permissions: ["users-get"] });
    const held = async () => [...(await portal.authenticate(two.value)).permissions];
    expect(await held()).toEqual(["users-get"]);
    await admin.users.setPermissions({ user_id, token_id: one.id, permissions: ["user_tokens-post"] });
    expect(await held()).toEqual([]);
    await admin.users.revokeToken({ user_id, token_id: one.id });
    expect(await held()).toEqual([]);
  });
});
