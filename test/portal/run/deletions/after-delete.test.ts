import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import type { Region } from "../../../../src/portal/regions.ts";
import { fakeBackupDriver } from "../../../../src/testing/index.ts";
import { openGateway } from "../../support/gateway.ts";
import { noon, stores } from "../../support/rig.ts";

const client = { reseller: "acme", client_id: "c-1" };

/** Services that take every limit. */
const quotas = { used: async () => ({}), set: async () => {} };

/** A gateway with a project that has a key pair and 30 of its client's 40 cores. */
async function openFilled(store: Store, iaas: Region["iaas"]) {
  const created_at = new Date(noon).toISOString();
  const project = { id: "p-1", created_at, updated_at: created_at, ...client, user_id: null, region: "eu-1" };
  await store.records.put("cloud_project", project, 0);
  const driver = fakeBackupDriver();
  const gateway = await openGateway(store, { "eu-1": { iaas, backups: driver, quotas } });
  const limit = async (resource_id: string, amount: number, level: object = client) => {
    const body = { reseller: "", client_id: "", ...level, resource_id, quota: "cores", limit: amount };
    return (await gateway.ask({ method: "POST", path: "/quota", body })).status;
  };
  expect(await limit("", 60, { reseller: "acme" })).toBe(200);
  expect(await limit("", 40)).toBe(200);
  expect(await limit("p-1", 30)).toBe(200);
  const pair = { resource_id: "p-1", access_key: "AK-1", secret_key: "the secret of the pair" };
  expect((await gateway.ask({ method: "PATCH", path: "/keypair", body: pair })).status).toBe(204);
  const remove = async () => (await gateway.ask({ method: "DELETE", path: "/iaas/project/p-1" })).status;
  return { ...gateway, driver, limit, remove };
}

describe.each(stores)(
  "what the portal keeps of an infrastructure project, whatever its back end: %s",
  (_name, open) => {
    it("goes with it: its key pair, and its limits, which are the level above's to give again", async () => {
      const store = await open();
      const { limit, remove } = await openFilled(store, { deleteProject: async () => undefined });
      expect(await limit("p-2", 11)).toBe(403);
      expect(await remove()).toBe(204);
      expect(await store.records.count("keypair")).toBe(0);
      expect(
        (await store.records.list("quota", { limit: 10 })).records.map(({ record }) => record.resource_id),
      ).toEqual([null, null, null]);
      expect(await limit("p-2", 40)).toBe(200);
    });

    it("is not backed up any more, so that no backup of what is gone fails night after night", async () => {
      const store = await open();
      const volume = { id: "v-1", name: "disk", project_id: "p-1", attachments: [] };
      const { remove, ask, driver, portal, clock } = await openFilled(store, {
        projects: async () => [{ id: "p-1", name: "shop", enabled: true }],
        servers: async () => [],
        volumes: async () => ({ volumes: [volume], snapshots: [], backups: [] }),
        deleteProject: async () => undefined,
      });
      const body = { policy_id: "daily", resource_id: "p-1", resource_type: "project", starting_hour: 2 };
      expect(await ask({ method: "POST", path: "/backup", body })).toMatchObject({ status: 204 });
      expect(await store.records.count("backup_assignment")).toBe(2);
      expect(await remove()).toBe(204);
      expect(await store.records.count("backup_assignment")).toBe(0);
      await clock.advance(86_400_000);
      await portal.start(() => {})();
      expect(driver.calls.size).toBe(0);
      expect((await ask({ method: "GET", path: "/backups" })).body).toMatchObject([{ state: "canceled" }]);
    });

    it("stays while the back end refuses to delete it", async () => {
      const store = await open();
      const refusal = new GatewayError("conflict", "The project still has 1 servers.");
      const { limit, remove } = await openFilled(store, {
        deleteProject: async () => {
          throw refusal;
        },
      });
      expect(await remove()).toBe(409);
      expect(await store.records.count("keypair")).toBe(1);
      expect(await limit("p-2", 11)).toBe(403);
    });
  },
);
