import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Wire } from "../../../adapters/clouds/openstack/client/cloud.ts";
import { openstack } from "../../../adapters/clouds/openstack/index.ts";
import { usualTransport } from "../../../adapters/shared/http/usual-transport.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import { inParallel } from "../../../src/portal/locks/in-parallel.ts";
import { refreshUsage } from "../../../src/portal/quotas/refresh-usage.ts";
import { openGateway } from "../../portal/support/gateway.ts";
import { callAt, noon } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { useServer } from "../support/servers.ts";
import { adminOptions } from "./iaas-openstack.ts";
import { type CloudAdmin, openCloudAdmin } from "./keystone-admin.ts";

const server = useServer("openstack");
const count = 500;
const suffix = randomBytes(4).toString("hex");
let admin: CloudAdmin;
let projects: string[] = [];

beforeAll(async () => {
  if (server.missing !== undefined) return;
  admin = openCloudAdmin(server.settings);
  const names = Array.from({ length: count }, (_, n) => `pace-${suffix}-${n}`);
  projects = await inParallel(names, 8, async (name) => {
    const body = { project: { name, domain_id: "default" } };
    const made = await admin.ask({ service: "identity", method: "POST", path: ["projects"], body });
    return String((made.project as Wire).id);
  });
}, 300_000);

afterAll(async () => {
  await inParallel(projects, 8, (id) => admin.ask({ service: "identity", method: "DELETE", path: ["projects", id] }));
  await admin?.close();
}, 300_000);

/** Sends for real, and counts what each address has at a time. */
function counted(): { readonly transport: Transport; readonly most: Map<string, number> } {
  const inner = usualTransport();
  const [running, most] = [new Map<string, number>(), new Map<string, number>()];
  const add = (origin: string, change: number) => {
    const now = (running.get(origin) ?? 0) + change;
    running.set(origin, now);
    most.set(origin, Math.max(most.get(origin) ?? 0, now));
  };
  const whole: Transport["whole"] = async (request) => {
    const { origin } = new URL(request.url);
    add(origin, 1);
    try {
      return await inner.whole(request);
    } finally {
      add(origin, -1);
    }
  };
  return { transport: { ...inner, whole, close: () => inner.close() }, most };
}

it("GET /quota over 500 projects of two regions answers in 3 s what the job has read, with 8 requests at a time at any service", async (context) => {
  if (server.missing !== undefined) return context.skip(server.missing);
  const { transport, most } = counted();
  const open = () => {
    const { iaas, quotas } = openstack({ ...adminOptions(server.settings), pageSize: 1_000, transport });
    return { iaas, quotas, identity: "one" };
  };
  const regions = { "eu-1": open(), "eu-2": open() };
  const store = withPortalKinds(memoryStore());
  const { ask, clock } = await openGateway(store, regions);
  const limit = { quota: "cores", limit: 50_000, reseller: "acme", client_id: "", resource_id: "" };
  const provider = { ...limit, reseller: "" };
  for (const body of [provider, limit])
    expect(await ask({ method: "POST", path: "/quota", body })).toMatchObject({ status: 200 });
  const created_at = new Date(noon).toISOString();
  for (const id of projects) {
    const owner = { reseller: "acme", client_id: null, user_id: null };
    await store.records.put("cloud_project", { id, created_at, updated_at: created_at, ...owner, region: "eu-1" }, 0);
  }
  const begun = performance.now();
  await refreshUsage({ records: store.records, regions, clock }, (region) => ({
    ...callAt(store.records, {}),
    region,
  }));
  const read = performance.now();
  const usages = await store.records.count("resource_usage");
  const listed = await ask({ method: "GET", path: "/quota" });
  const shown = performance.now();
  const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(2);
  process.stderr.write(
    `quotas: ${usages} readings by the job in ${seconds(begun, read)} s, GET /quota in ${seconds(read, shown)} s, most at once ${JSON.stringify([...most])}\n`,
  );
  expect(listed.status).toBe(200);
  const rows = (listed.body as { cores: object[] }).cores;
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    expect(row).toMatchObject({ limit: 50_000, used: 0, read_at: created_at });
    expect(row).not.toHaveProperty("missing");
  }
  expect(shown - read).toBeLessThan(3_000);
  expect(Math.max(...most.values())).toBeLessThanOrEqual(8);
  expect(usages).toBe(2 * count);
  await transport.close();
}, 900_000);
