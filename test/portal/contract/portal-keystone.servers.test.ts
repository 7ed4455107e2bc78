import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { openstack } from "../../../adapters/clouds/openstack/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { adminOptions, awaitWritable } from "../../clouds/contract/iaas-openstack.ts";
import { useServer } from "../../clouds/support/servers.ts";
import { openGateway } from "../support/gateway.ts";

const keystone = useServer("openstack", "--keystone-only");

beforeAll(async () => {
  if (keystone.missing === undefined) await awaitWritable(adminOptions(keystone.settings));
});

describe("the portal over HTTP with a real Keystone behind it", () => {
  it("serves the whole way: a project for a client, its credential, its end; the audit log holds no secret", async (context) => {
    if (keystone.missing !== undefined) return context.skip(keystone.missing);
    const suffix = randomBytes(4).toString("hex");
    const { iaas, backups, quotas, close } = openstack(adminOptions(keystone.settings));
    const store = memoryStore();
    const { ask } = await openGateway(store, { "eu-1": { iaas, backups, quotas } });
    const post = (path: string, body: object) => ask({ method: "POST", path, body });

    const made = await post("/iaas/projects", {
      name: `web-${suffix}`,
      quota_profile: "default",
      client: "c1",
      reseller: "r1",
    });
    expect(made).toMatchObject({ status: 200, body: { project: { client: "c1", enabled: true } } });
    const { id } = (made.body as { project: { id: string } }).project;
    const again = await post("/api/iaas/projects", { name: `web-${suffix}`, quota_profile: "default" });
    expect(again).toMatchObject({ status: 409, body: { error: { type: "conflict" } } });

    const keys = { access_key: `AK${suffix}`, secret_key: "hush-hush-hush", roles: ["member"] };
    const credential = await post(`/iaas/credentials/${id}`, { ...keys, description: "", user_bound: false });
    expect(credential.status).toBe(200);
    const refused = await post(`/iaas/credentials/${id}`, {
      ...keys,
      roles: ["admin"],
      description: "",
      user_bound: false,
    });
    expect(refused).toMatchObject({ status: 400, body: { error: { param: "roles" } } });

    const listed = await ask({ method: "GET", path: "/iaas/projects?domain=Default" });
    expect(listed.body).toContainEqual(expect.objectContaining({ id, client: "c1", reseller: "r1" }));
    const servers = await ask({ method: "GET", path: "/iaas/servers" });
    expect(servers).toMatchObject({ status: 501, body: { error: { type: "not_implemented" } } });
    expect((await ask({ method: "DELETE", path: `/iaas/project/${id}` })).status).toBe(204);
    expect((await ask({ method: "DELETE", path: `/iaas/project/${id}` })).status).toBe(404);

    const { records } = await store.records.list("audit", { limit: 1_000 });
    const operations = records.map(({ record }) => `${record.operation} ${record.outcome}`);
    expect(operations).toContain("iaas.createCredential ok");
    expect(JSON.stringify(records)).not.toContain("hush-hush");
    await close();
  });
});
