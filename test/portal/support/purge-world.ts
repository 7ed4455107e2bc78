import { expect } from "vitest";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import type { Region } from "../../../src/portal/regions.ts";
import { fakeBackupDriver } from "../../../src/testing/index.ts";
import { openLocal } from "../../clouds/support/local.ts";
import { openGateway } from "./gateway.ts";
import { noon } from "./rig.ts";

export const minute = 60_000;

/** What becomes of one call of a back end: nothing, an error before or after it was carried out, or the death of the process in it. */
export type Fate = "pass" | "break" | "lose" | "die";

interface Faults {
  readonly fate: () => Fate;
  /** Called when the process dies: the call never ends. */
  readonly onDeath: () => void;
}

/** A back end whose calls may go wrong. */
function faulty<Backend extends object>(
  backend: Backend,
  names: readonly string[],
  { fate, onDeath }: Faults,
): Backend {
  const methods = names.map((name) => {
    const method = (backend as Record<string, (...all: unknown[]) => unknown>)[name];
    const call = async (...all: unknown[]) => {
      const next = fate();
      const failure = new GatewayError("backend_timeout", "The cloud did not answer in time.");
      if (next === "break") throw failure;
      if (next === "die") onDeath();
      const answer = next === "die" ? await new Promise(() => {}) : await method?.apply(backend, all);
      if (next === "lose") throw failure;
      return answer;
    };
    return [name, call];
  });
  return { ...backend, ...Object.fromEntries(methods) };
}

const contents = ["listContents", "removeContents"];

/** A portal over an embedded cloud with two projects, of which the first has something of every kind. */
export async function openFilled(store: Store, faults: Partial<Faults> = {}) {
  const fate = { fate: () => "pass" as const, onDeath: () => {}, ...faults };
  let now = () => noon;
  const cloud = await openLocal({ records: store.records, clock: { now: () => now(), after: () => () => {} } });
  const backups = { ...fakeBackupDriver(), list: async () => [`snap-${shop}`, `snap-${other}`] };
  const region: Region = {
    ...{ quotas: cloud.quotas, rollbacks: cloud.rollbacks },
    iaas: faulty(cloud.iaas, [...contents, "deleteProject", "credentials"], fate),
    clusters: faulty(cloud.clusters, ["projects", "deleteProject"], fate),
    objectstore: faulty(cloud.objectstore, contents, fate),
    backups: faulty(backups, ["remove"], fate),
  };
  const gateway = await openGateway(store, { "eu-1": region });
  now = () => gateway.clock.now();
  const { ask } = gateway;
  const make = async (name: string) => {
    const made = await ask({ method: "POST", path: "/iaas/projects", body: { name, quota_profile: "default" } });
    return (made.body as { project: { id: string } }).project.id;
  };
  const [shop, other] = [await make("shop"), await make("other")];
  for (const project of [shop, other]) await fill(cloud, store, project);
  expect(
    (await ask({ method: "POST", path: "/cluster/projects", body: { project_id: shop, purpose: "testing" } })).status,
  ).toBe(200);
  const remove = (body?: object) => ask({ method: "DELETE", path: `/iaas/project/${shop}`, body });
  /** One run of every job, by this process. */
  const run = async () => {
    await gateway.clock.advance(20 * minute);
    await gateway.portal.start(() => {})();
  };
  return { ...gateway, cloud, store, shop, other, remove, run };
}

export type Filled = Awaited<ReturnType<typeof openFilled>>;

/** One of each kind, as its service has it. */
async function fill({ inventory, objects }: Awaited<ReturnType<typeof openLocal>>, store: Store, project: string) {
  const put = (kind: string, fields: object) =>
    inventory.put(kind, `${kind}-${project}`, { id: `${kind}-${project}`, name: kind, ...fields });
  const [server, volume, router] = [`servers-${project}`, `volumes-${project}`, `routers-${project}`];
  await put("servers", {
    tenant_id: project,
    status: "ACTIVE",
    "os-extended-volumes:volumes_attached": [{ id: volume }],
  });
  await put("volumes", {
    "os-vol-tenant-attr:tenant_id": project,
    status: "in-use",
    size: 1,
    attachments: [{ server_id: server }],
  });
  await put("loadbalancers", { project_id: project, provisioning_status: "ACTIVE" });
  await put("routers", { project_id: project });
  await put("ports", { project_id: project, device_owner: "network:router_interface", device_id: router });
  for (const kind of ["networks", "security_groups", "floatingips", "zones"]) await put(kind, { project_id: project });
  await put("images", { owner: project });
  await objects.makeBucket({ name: `logs-${project.slice(0, 8)}`, project_id: project, isVersioned: true });
  await objects.put(`logs-${project.slice(0, 8)}`, "a/b", Buffer.from("text"));
  const copy = { zone: null, snapshot: `snap-${project}`, expires_at: noon + 1e10, is_removed: false };
  const scope = { reseller: null, client_id: null, user_id: null };
  await store.records.put(
    "backup",
    {
      ...{
        id: `bkp-${project}`,
        created_at: new Date(noon).toISOString(),
        ...scope,
        state: "available",
        region: "eu-1",
      },
      ...{ resource_id: volume, resource_type: "volume", project_id: project, protected_resource_id: null },
      ...{
        policy_id: "daily",
        assignment_id: "bka",
        starting_hour: 0,
        scheduled_at: noon,
        is_full: true,
        manual: false,
      },
      ...{ retries: 0, maker: null, lease_until: null, copies: [copy], parent_id: null, size: 1, allocated: 1 },
      ...{ volume_type: null, started_at: noon, processed_at: noon, last_restore: null, canceled_at: null },
      ...{ canceled_by: null, message: null, reason: null },
    },
    0,
  );
}

/** The ids of what a project has in the cloud and in the portal, by the services themselves. */
export async function leftOf({ cloud, store }: Filled, project: string): Promise<string[]> {
  const kinds = [
    "servers",
    "volumes",
    "loadbalancers",
    "routers",
    "ports",
    "networks",
    "security_groups",
    "floatingips",
    "zones",
    "images",
    "buckets",
    "projects",
    "kube.projects",
  ];
  const lists = await Promise.all(
    kinds.map(async (kind) => (await cloud.inventory.list(kind)).map((item) => ({ kind, item }))),
  );
  const own = lists
    .flat()
    .filter(({ item }) => JSON.stringify(item).includes(project))
    .map(({ kind }) => kind);
  const backup = (await store.records.get("backup", `bkp-${project}`))?.record.state === "available" ? ["backup"] : [];
  return [...own, ...backup];
}

export const taskOf = async ({ ask }: Filled, id: string) =>
  (await ask({ method: "GET", path: `/task/${id}` })).body as Record<string, unknown>;
export const stepOf = async ({ ask }: Filled, id: string) =>
  ((await ask({ method: "GET", path: `/task/${id}/step` })).body as { response?: string }[])[0]?.response ?? "";
export const projectsOf = async ({ ask }: Filled) =>
  (await ask({ method: "GET", path: "/iaas/projects" })).body as { id: string; state?: string; description?: string }[];

export async function begin(filled: Filled): Promise<string> {
  const answer = await filled.remove({ purge: true });
  expect(answer).toMatchObject({ status: 204 });
  return answer.headers["x-tg-job"] ?? expect.unreachable();
}
