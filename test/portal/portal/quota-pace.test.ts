import { expect, it } from "vitest";
import { openstack } from "../../../adapters/clouds/openstack/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import { fakeCloud } from "../../clouds/support/openstack/fake-cloud.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { openGateway } from "../support/gateway.ts";
import { noon } from "../support/rig.ts";

/** A portal over a small OpenStack with so many projects, of which nothing has been read yet; counts the requests at each service. */
async function openMany(count: number) {
  const cloud = fakeCloud();
  const [now, most] = [new Map<string, number>(), new Map<string, number>()];
  const whole: Transport["whole"] = async (request) => {
    const { host } = new URL(request.url);
    const running = (now.get(host) ?? 0) + 1;
    now.set(host, running);
    most.set(host, Math.max(most.get(host) ?? 0, running));
    await new Promise((resolve) => setImmediate(resolve));
    try {
      return await cloud.transport.whole(request);
    } finally {
      now.set(host, (now.get(host) ?? 0) - 1);
    }
  };
  const store = withPortalKinds(memoryStore());
  const created_at = new Date(noon).toISOString();
  for (let n = 0; n < count; n++) {
    const id = `p${n}`;
    cloud.projects.set(id, { id, name: id, enabled: true, domain_id: "default" });
    const owner = { reseller: "acme", client_id: null };
    await store.records.put("cloud_project", { id, created_at, updated_at: created_at, ...owner, region: "eu-1" }, 0);
  }
  const { iaas, quotas } = openstack({
    authUrl: "http://identity.test/v3",
    credentials: { username: "admin", password: "hush-hush" },
    transport: { ...cloud.transport, whole },
  });
  const gateway = await openGateway(store, { "eu-1": { iaas, quotas } });
  const limit = { quota: "cores", limit: 50_000, reseller: "", client_id: "", resource_id: "" };
  expect(await gateway.ask({ method: "POST", path: "/quota", body: limit })).toMatchObject({ status: 200 });
  return { ...gateway, cloud, most };
}

it("quotas over 500 projects ask no service more than eight things at once, and again only for what is not known", async () => {
  const { ask, cloud, most } = await openMany(500);
  cloud.asked.splice(0);
  most.clear();
  const listed = await ask({ method: "GET", path: "/quota" });
  expect(listed.status).toBe(200);
  const whole = { resource_id: "", limit: 50_000, used: 0 };
  expect((listed.body as { cores: object[] }).cores).toContainEqual(expect.objectContaining(whole));
  expect(cloud.asked.filter((line) => line.startsWith("GET compute")).length).toBe(500);
  expect(Math.max(...most.values())).toBe(8);
  cloud.asked.splice(0);
  await ask({ method: "GET", path: "/quota" });
  expect(cloud.asked).toEqual([]);
});
