import type { LocalCloud } from "tollgate/backends/local";
import type { Store } from "../../engine/ports/store.ts";
import { operator } from "../../portal/call/operator.ts";
import type { Portal } from "../../portal/portal.ts";
import { type DemoProject, furnishClient } from "./infrastructure.ts";
import { fillDesk, makeBackup } from "./support.ts";
import { type DemoTenant, demoReseller, makeTenants } from "./tenants.ts";
import { type DemoKey, makeKeys, writeUsage } from "./usage.ts";

/** What the demo is filled into. */
export interface DemoContext {
  readonly portal: Portal;
  readonly store: Store;
  readonly region: string;
  readonly cloud: LocalCloud;
  /** The settings of the created keys. */
  readonly tier: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The created records; the tokens are printed once. */
export interface Demo {
  /** Of the provider's first user; absent where there was one. */
  readonly adminToken: string | undefined;
  readonly tenants: readonly DemoTenant[];
  /** By client. */
  readonly projects: Readonly<Record<string, DemoProject>>;
  /** With their values, which are not printed. */
  readonly keys: readonly DemoKey[];
  readonly requests: number;
}

/** Fills an empty store with a reseller and two clients, so that every area has something to show. */
export async function fillDemo({ portal, store, region, cloud, tier, now }: DemoContext): Promise<Demo> {
  const first = await portal.startFirst();
  const tenants = await makeTenants(portal, region);
  const provider = portal.as(operator, { region });
  await provider.quotas.set({ ...aiKeys, reseller: "", client_id: "", limit: 1_000 });
  await provider.quotas.set({ ...aiKeys, client_id: "", limit: 100 });
  await provider.properties.set({ property: "language", value: "en", description: "Of the console" });
  const projects: Record<string, DemoProject> = {};
  const keys: DemoKey[] = [];
  for (const tenant of tenants) {
    if (tenant.client_id === undefined) continue;
    keys.push(...(await makeKeys(tenant, tier)));
    const project = await furnishClient(tenant, cloud, cloud.endpoint);
    projects[tenant.client_id] = project;
    await makeBackup(portal, tenant, project);
    await fillDesk(tenant, project);
  }
  for (const [quota, limit] of Object.entries({ cores: 100, gigabytes: 5_000 }))
    await provider.quotas.set({ reseller: demoReseller, client_id: "", resource_id: "", quota, limit });
  await manage(tenants, projects, cloud.endpoint);
  await cloud.planFaults({ seed: "tollgate demo", one_in: 6 });
  const ids = keys.map(({ id }) => id);
  const requests = await writeUsage({ ledger: store.ledger, records: store.records, keys: ids, now });
  return { adminToken: first?.token, tenants, projects, keys, requests };
}

/** How many keys there may be; what a client has cannot be more than its reseller. */
const aiKeys = { reseller: demoReseller, resource_id: "", quota: "ai_keys" } as const;

/** What the reseller does for its clients: quotas, profiles, and a bucket of one that the other may read. */
async function manage(tenants: readonly DemoTenant[], { bakery, vets }: Demo["projects"], endpoint: string) {
  const reseller = tenants.find(({ client_id }) => client_id === undefined);
  if (reseller === undefined || bakery === undefined || vets === undefined) return;
  const { calls } = reseller;
  await calls.quotas.set({ ...aiKeys, client_id: "bakery", limit: 10 });
  for (const [quota, limit] of Object.entries({ cores: 40, gigabytes: 3_000 }))
    await calls.quotas.set({ reseller: demoReseller, client_id: "bakery", resource_id: "", quota, limit });
  const entries = ["ai-get", "backups-get"].map((name) => ({ name }));
  await calls.profiles.create({ name: "Readers", profile_type: "permission", entries });
  const limits = [
    { name: "cores", limit: 8 },
    { name: "gigabytes", limit: 200 },
  ];
  await calls.profiles.create({ name: "Small shop", profile_type: "quota", entries: limits });
  await calls.objectstore.shareBucket({
    bucket: bakery.bucket,
    project_id: vets.project_id,
    objectstore_url: endpoint,
  });
}
