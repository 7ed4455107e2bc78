import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Records } from "../../../../src/engine/ports/records.ts";
import { createSecrets } from "../../../../src/portal/call/secrets.ts";
import { keypairArea } from "../../../../src/portal/keypair/area.ts";
import type { AreaBackend, Regions } from "../../../../src/portal/regions.ts";
import type { TenantScope } from "../../../../src/portal/tenancy/tenant-scope.ts";
import { openGateway } from "../../support/gateway.ts";
import { callAt, noon, stores } from "../../support/rig.ts";

const client = { reseller: "acme", client_id: "c-1" };
const pair = { access_key: "AK-1", secret_key: "the secret of the pair" };

/** The region's infrastructure: what it says of the credentials of a project. */
function iaasWith(credentials: AreaBackend<"iaas">["credentials"]): Regions {
  return { "eu-1": { iaas: credentials ? { credentials } : {} } };
}

function at(records: Records, place: TenantScope) {
  return callAt(records, place, { secrets: createSecrets("a secret of the test", randomBytes) });
}

async function addProject(records: Records, place: TenantScope = client): Promise<void> {
  const created_at = new Date(noon).toISOString();
  const { reseller = null, client_id = null, user_id = null } = place;
  const record = { id: "p-1", created_at, updated_at: created_at, reseller, client_id, user_id, region: "eu-1" };
  await records.put("cloud_project", record, 0);
}

describe.each(stores)("keypair: %s", (_name, open) => {
  it("what is set is read again, and lies where its project lies", async () => {
    const { records } = await open();
    await addProject(records);
    const area = keypairArea({ regions: {} });
    await area.set?.({ resource_id: "p-1", ...pair }, at(records, { reseller: "acme" }));
    const shown = { ...pair, resource_id: "p-1", active: true, user_id: "usr_rig" };
    expect(await area.get?.({ resource_id: "p-1" }, at(records, client))).toEqual(shown);
    await area.set?.({ resource_id: "p-1", access_key: "AK-2", secret_key: "another" }, at(records, client));
    const changed = await area.get?.({ resource_id: "p-1" }, at(records, {}));
    expect(changed).toEqual({ ...shown, access_key: "AK-2", secret_key: "another" });
    expect(await records.count("keypair")).toBe(1);
  });

  it("another tenant neither reads nor sets it, nor the key pair of a project that is not there", async () => {
    const { records } = await open();
    await addProject(records);
    const area = keypairArea({ regions: {} });
    await area.set?.({ resource_id: "p-1", ...pair }, at(records, client));
    for (const place of [{ reseller: "acme", client_id: "c-2" }, { reseller: "other" }]) {
      const missing = { code: "not_found" };
      await expect(async () => area.get?.({ resource_id: "p-1" }, at(records, place))).rejects.toMatchObject(missing);
      for (const resource_id of ["p-1", "p-2"])
        await expect(async () => area.set?.({ resource_id, ...pair }, at(records, place))).rejects.toMatchObject(
          missing,
        );
    }
  });

  it("the store holds no readable secret, and a pair sealed twice is not the same twice", async () => {
    const { records } = await open();
    const area = keypairArea({ regions: {} });
    const sealed = async () => (await records.get("keypair", "p-9"))?.record.sealed_secret_key ?? "";
    await area.set?.({ resource_id: "p-9", ...pair }, at(records, {}));
    const first = await sealed();
    await area.set?.({ resource_id: "p-9", ...pair }, at(records, {}));
    expect(await sealed()).not.toBe(first);
    const page = await records.list("keypair", { limit: 10 });
    expect(JSON.stringify(page)).not.toContain(pair.secret_key);
  });

  it("without a secret of the portal no pair can be kept", async () => {
    const { records } = await open();
    const call = callAt(records, {}, { secrets: createSecrets(undefined, randomBytes) });
    const set = async () => keypairArea({ regions: {} }).set?.({ resource_id: "p-9", ...pair }, call);
    await expect(set).rejects.toMatchObject({ code: "not_implemented" });
    expect(await records.count("keypair")).toBe(0);
  });

  it.each([
    ["its access key is a credential of the project that works", [credential("AK-1", true)], true],
    ["that credential does not work", [credential("AK-1", false)], false],
    ["the project has other credentials only", [credential("AK-2", true), { id: "x", active: true }], false],
    ["the blob cannot be read", [{ id: "x", active: true, blob: "{" }], false],
  ])("is active as the region's infrastructure says: %s", async (_what, credentials, active) => {
    const { records } = await open();
    const area = keypairArea({ regions: iaasWith(async () => credentials) });
    await area.set?.({ resource_id: "p-9", ...pair }, at(records, {}));
    expect(await area.get?.({ resource_id: "p-9" }, at(records, {}))).toMatchObject({ active });
  });

  it("is not active when its project is gone; a back end that fails is told of", async () => {
    const { records } = await open();
    const failing = (code: "not_found" | "backend_error") =>
      keypairArea({ regions: iaasWith(() => Promise.reject(new GatewayError(code, "no"))) });
    await failing("not_found").set?.({ resource_id: "p-9", ...pair }, at(records, {}));
    const get = async (code: "not_found" | "backend_error") =>
      failing(code).get?.({ resource_id: "p-9" }, at(records, {}));
    expect(await get("not_found")).toMatchObject({ active: false });
    await expect(async () => get("backend_error")).rejects.toMatchObject({ code: "backend_error" });
  });

  it("over HTTP: no error, audit entry or notification holds the secret, only the answer to who asks for it", async () => {
    const store = await open();
    const { ask } = await openGateway(store);
    const set = (body: object) => ask({ method: "PATCH", path: "/keypair", body });
    expect((await set({ resource_id: "p-1", ...pair })).status).toBe(204);
    const refused = await set({ resource_id: "p-1", ...pair, access_key: "", extra: pair.secret_key });
    expect(refused.status).toBe(400);
    const told = await Promise.all(
      ["/audit", "/notification", "/context", "/keypair?resource_id=p-2"].map((path) => ask({ method: "GET", path })),
    );
    for (const { body } of [refused, ...told]) expect(JSON.stringify(body)).not.toContain(pair.secret_key);
    const read = await ask({ method: "GET", path: "/keypair?resource_id=p-1" });
    expect(read).toMatchObject({ status: 200, body: pair });
    for (const kind of ["audit", "notification", "keypair"] as const) {
      expect(JSON.stringify(await store.records.list(kind, { limit: 100 }))).not.toContain(pair.secret_key);
    }
    expect(await store.records.count("audit")).toBe(4);
  });
});

function credential(access: string, active: boolean) {
  return { id: `id of ${access}`, active, blob: JSON.stringify({ access }) };
}
