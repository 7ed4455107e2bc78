import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import type { Wire } from "../../../adapters/clouds/openstack/client/cloud.ts";
import { openstack } from "../../../adapters/clouds/openstack/index.ts";
import { usualTransport } from "../../../adapters/shared/http/usual-transport.ts";
import { sqliteStore } from "../../../adapters/stores/sqlite/index.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import { openstackFurniture } from "../../clouds/contract/furniture-openstack.ts";
import { adminOptions } from "../../clouds/contract/iaas-openstack.ts";
import { type CloudAdmin, openCloudAdmin } from "../../clouds/contract/keystone-admin.ts";
import { useServer } from "../../clouds/support/servers.ts";
import { openGateway } from "../support/gateway.ts";

const server = useServer("openstack");

let admin: CloudAdmin;

beforeAll(() => {
  if (server.missing === undefined) admin = openCloudAdmin(server.settings);
});

afterAll(() => admin?.close());

/** What the services themselves have of a project, by their own lists. */
async function contentsOf(project: string): Promise<string[]> {
  const lists = [
    { service: "compute", path: ["servers", "detail"], key: "servers", query: { all_tenants: "1" } },
    { service: "volume", path: ["volumes", "detail"], key: "volumes", query: { all_tenants: "1" } },
    { service: "volume", path: ["backups", "detail"], key: "backups", query: { all_tenants: "1" } },
    { service: "network", path: ["networks"], key: "networks" },
    { service: "network", path: ["ports"], key: "ports" },
    { service: "network", path: ["routers"], key: "routers" },
    { service: "loadBalancer", path: ["loadbalancers"], key: "loadbalancers" },
    { service: "image", path: ["images"], key: "images", query: { visibility: "all" } },
  ] as const;
  const found: string[] = [];
  for (const list of lists) {
    const own = (await admin.list(list)).filter((thing) => JSON.stringify(thing).includes(project));
    found.push(...own.map(({ id }: Wire) => `${list.key} ${String(id)}`));
  }
  return found;
}

/** Sends requests of one process, which dies at one of them: that is carried out, and nothing of the process is heard again. */
function mortal() {
  const transport = usualTransport();
  let left = Number.POSITIVE_INFINITY;
  let fall = () => {};
  const fallen = new Promise<void>((resolve) => {
    fall = resolve;
  });
  const whole: Transport["whole"] = async (request) => {
    if (left <= 0) return new Promise(() => {});
    left -= 1;
    const answer = await transport.whole(request);
    if (left > 0) return answer;
    fall();
    return new Promise(() => {});
  };
  return {
    transport: { ...transport, whole },
    fallen,
    dieAfter(requests: number) {
      left = requests;
    },
  };
}

async function openPortal(context: TestContext) {
  if (server.missing !== undefined) return context.skip(server.missing);
  const store = await sqliteStore(":memory:");
  const life = mortal();
  const options = { ...adminOptions(server.settings), pageSize: 1_000 };
  const clouds = { dying: openstack({ ...options, transport: life.transport }), next: openstack(options) };
  context.onTestFinished(async () => {
    await Promise.all([clouds.dying.close(), clouds.next.close()]);
    await store.close();
  });
  let present = clouds.dying;
  const iaas = new Proxy(clouds.next.iaas, { get: (_iaas, name) => Reflect.get(present.iaas, name) });
  const { quotas, rollbacks } = clouds.next;
  const gateway = await openGateway(store, { "eu-1": { iaas, quotas, rollbacks } });
  const made = await gateway.ask({
    method: "POST",
    path: "/iaas/projects",
    body: { name: `purge-${randomBytes(4).toString("hex")}`, quota_profile: "default" },
  });
  expect(made).toMatchObject({ status: 200 });
  const { id } = (made.body as { project: { id: string } }).project;
  const furniture = openstackFurniture(options, randomBytes(4).toString("hex").slice(0, 7));
  context.onTestFinished(async () => {
    await furniture.clear(id); // the external network is no part of the project
    await furniture.close();
  }, 120_000);
  await furniture.furnish(id);
  /** Another process takes over: the same store, a back end that lives. */
  const revive = () => {
    present = clouds.next;
  };
  return { ...gateway, id, life, revive };
}

describe("the purge of a project on a whole OpenStack", () => {
  it("goes on after the death of its process, and nothing is left at any service", async (context) => {
    const { ask, clock, portal, id, life, revive } = await openPortal(context);
    expect((await contentsOf(id)).length).toBeGreaterThan(5);
    const refused = await ask({ method: "DELETE", path: `/iaas/project/${id}` });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
    const answer = await ask({ method: "DELETE", path: `/iaas/project/${id}`, body: { purge: true } });
    expect(answer).toMatchObject({ status: 204 });
    const task = answer.headers["x-tg-job"];
    const state = async () => ((await ask({ method: "GET", path: `/task/${task}` })).body as { state: string }).state;

    life.dieAfter(18);
    await clock.advance(60_000);
    const stop = portal.start(() => {});
    await Promise.race([life.fallen, stop()]);
    expect(await state()).toBe("running");
    expect(await admin.projectIds()).toContain(id);

    revive();
    for (let round = 0; round < 60 && (await state()) === "running"; round++) {
      await clock.advance(16 * 60_000); // the dead process held its attempt for a quarter of an hour
      await portal.start(() => {})();
    }
    expect(await state()).toBe("done");
    expect(await contentsOf(id)).toEqual([]);
    expect(await admin.projectIds()).not.toContain(id);
    expect(await admin.userNames()).not.toContain(`tollgate-project-${id}`);
  });
});
