// What a call of the portal costs beside what the store and the back ends take: router, permission, both validations, scope.
import { memoryStore } from "../adapters/stores/memory/index.ts";
import { createHandler } from "../src/http/server/handler.ts";
import { createEngine } from "../src/index.ts";
import { operator } from "../src/portal/call/operator.ts";
import { createPortal } from "../src/portal/index.ts";
import { judge, median, printTable } from "./table.ts";

const server = {
  id: "s-1",
  name: "web",
  status: "ACTIVE",
  created: "2026-11-20T00:00:00Z",
  addresses: {},
  metadata: {},
};
const project = { id: "p-1", name: "shop" };
const store = memoryStore();
const engine = createEngine({ providers: [{ name: "bench" }], store });
const regions = {
  "eu-1": { iaas: { servers: () => [server], createProject: () => ({ project }), domains: () => [] } },
};
const portal = createPortal({ engine, store, regions });
const first = await portal.startFirst();
const place = { caller: { ...operator, place: { reseller: "acme", client_id: "c-1" } }, region: "eu-1" };
const input = { name: "shop", quota_profile: "small", client: "c-1", description: "", reseller: "acme" };

const handle = createHandler({ engine, portal });
const signal = new AbortController().signal;
const headers = { "auth-token": first?.token ?? "", region: "eu-1" };
const request = { method: "GET", path: "/api/iaas/servers", query: "", prefix: "", headers, isShared: false, signal };
const nothing = { kind: "bytes", bytes: new Uint8Array(0), encoding: undefined } as const;

const works = {
  "GET /iaas/servers, one server": () => portal.call({ method: "GET", path: "/iaas/servers", ...place }),
  "POST /iaas/projects, without the store's part": () =>
    portal.call({ method: "POST", path: "/iaas/projects", input, ...place }),
  "the same GET through the HTTP handler": () => handle({ ...request, read: async () => nothing }),
};

/** CPU microseconds of a call, in the middle of seven rounds after one to warm up. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= 7; round++) {
    const before = process.cpuUsage();
    for (let count = 0; count < 10_000; count++) await work();
    const { user, system } = process.cpuUsage(before);
    if (round > 0) times.push((user + system) / 10_000);
  }
  return median(times);
}

/** What of a call is the store's own: the audit entry of a change, written beside all those before it, when it begins and when it is done. */
const writeAudit = async () => {
  const id = `aud_${engine.newEventId()}`;
  const at = {
    created_at: new Date(engine.clock.now()).toISOString(),
    reseller: "acme",
    client_id: "c-1",
    user_id: "u",
    token_id: null,
  };
  const entry = { id, ...at, operation: "x", target: {}, region: "eu-1", event_id: id };
  await store.records.put("audit", { ...entry, outcome: "begun" }, 0);
  await store.records.put("audit", { ...entry, outcome: "ok" }, 1);
};

const rows = [];
for (const [what, work] of Object.entries(works)) {
  const all = await measure(work);
  const micros = what.startsWith("POST") ? all - (await measure(writeAudit)) : all;
  rows.push({
    what,
    value: `${micros.toFixed(1)} µs`,
    goal: "≤ 20 µs",
    verdict: judge(micros, { goal: 20, floor: 20 }),
  });
}
printTable("a call of the portal, CPU", rows);
await engine.close();
