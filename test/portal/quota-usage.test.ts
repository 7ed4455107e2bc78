import { describe, expect, it } from "vitest";
import { GatewayError } from "../../src/engine/errors.ts";
import { allPermissions } from "../../src/portal/permissions.ts";
import { quotasArea } from "../../src/portal/quotas/area.ts";
import { refreshUsage } from "../../src/portal/quotas/refresh-usage.ts";
import type { Regions } from "../../src/portal/regions.ts";
import type { TenantScope } from "../../src/portal/tenancy/tenant-scope.ts";
import { fakeClock } from "../../src/testing/clock.ts";
import { callAt, noon, stores } from "./support/rig.ts";

interface Row {
  readonly client_id: string;
  readonly used: number;
  readonly read_at?: string;
  readonly missing?: readonly { readonly resource_id: string; readonly reason: string }[];
}

describe.each(stores)("what projects use: %s", (_name, open) => {
  /** So many projects, each of which uses one core. */
  async function rig(count: number) {
    const { records } = await open();
    const clock = fakeClock({ startAt: noon });
    let [asked, now, most] = [0, 0, 0];
    const failing = new Set<string>();
    const used = async (resource: string) => {
      asked += 1;
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      if (failing.has(resource)) throw new GatewayError("backend_timeout", "Nova did not answer.");
      return { cores: 1 };
    };
    const regions: Regions = { "eu-1": { quotas: { used, set: async () => {} } } };
    const area = quotasArea({ records, regions, clock });
    const created_at = new Date(noon).toISOString();
    const caller = { user: { id: "usr_rig", username: "rig" }, scope: {}, permissions: allPermissions, token_id: null };
    const at = (scope: TenantScope = {}) =>
      callAt(records, scope, { region: "eu-1", caller: { ...caller, scope }, now: clock.now() });
    for (let place = 0; place < count; place++) {
      const owner = { reseller: "acme", client_id: `c-${place % 2}`, user_id: null, region: "eu-1" };
      await records.put("cloud_project", { id: `p-${place}`, created_at, updated_at: created_at, ...owner }, 0);
    }
    await area.set?.({ quota: "cores", limit: 5_000, reseller: "", client_id: "", resource_id: "" }, at());
    await area.set?.({ quota: "cores", limit: 5_000, reseller: "acme", client_id: "", resource_id: "" }, at());
    const counted = () => {
      const seen = { asked, most };
      asked = 0;
      return seen;
    };
    counted();
    const rows = async (scope?: TenantScope) => ((await area.list?.({}, at(scope)))?.cores ?? []) as Row[];
    const refresh = () => refreshUsage({ records, regions, clock }, () => at());
    return { rows, counted, failing, clock, refresh, records };
  }

  it("is asked for at most eight projects at a time, once for all rows, and remembered for seconds", async () => {
    const { rows, counted, clock } = await rig(20);
    expect((await rows()).map((row) => row.used)).toEqual([20, 20]);
    expect(counted()).toMatchObject({ asked: 20, most: 8 });
    await rows();
    expect(counted().asked).toBe(0);
    await clock.advance(5_000);
    await rows();
    expect(counted().asked).toBe(20);
  });

  it("is shown without what could not be read, which is named with its reason, and asked for again", async () => {
    const { rows, failing } = await rig(4);
    failing.add("p-2");
    const missing = [{ resource_id: "p-2", reason: "Nova did not answer." }];
    expect(await rows()).toMatchObject([
      { used: 3, missing },
      { used: 3, missing },
    ]);
    failing.clear();
    for (const row of await rows()) expect([row.used, row.missing]).toEqual([4, undefined]);
  });

  it("of many projects is what the job has read, with its age; without the job it is asked for", async () => {
    const { rows, counted, clock, refresh, failing, records } = await rig(120);
    expect((await rows())[0]).toMatchObject({ used: 120 });
    expect(counted().asked).toBe(120);
    failing.add("p-7");
    await refresh();
    expect(counted()).toMatchObject({ asked: 120, most: 8 });
    await clock.advance(60_000);
    const read_at = new Date(noon).toISOString();
    const missing = [{ resource_id: "p-7", reason: "Nova did not answer." }];
    expect(await rows()).toMatchObject([
      { used: 119, read_at, missing },
      { used: 119, read_at, missing },
    ]);
    expect(counted().asked).toBe(0);
    await refresh(); // another process, a minute later
    expect(counted().asked).toBe(0);
    await records.remove("cloud_project", "p-9");
    await clock.advance(5 * 60_000);
    failing.clear();
    await refresh();
    expect(await records.count("resource_usage")).toBe(119);
    const [row] = await rows();
    expect([row?.used, row?.read_at, row?.missing]).toEqual([119, new Date(clock.now()).toISOString(), undefined]);
    await clock.advance(31 * 60_000); // the job has died
    counted();
    expect((await rows())[0]?.read_at).toBeUndefined();
    expect(counted().asked).toBe(119);
  });

  it("is read in every region of the project's identity, each with its own figures", async () => {
    const { records } = await open();
    const clock = fakeClock({ startAt: noon });
    const asked: string[] = [];
    const inRegion = (identity: string, cores: number) => ({
      identity,
      quotas: {
        used: async (_id: string, { region }: { region: string }) => {
          asked.push(region);
          return { cores };
        },
      },
    });
    const regions: Regions = { "eu-1": inRegion("one", 1), "eu-2": inRegion("one", 2), "us-1": inRegion("two", 3) };
    const created_at = new Date(noon).toISOString();
    const owner = { reseller: "acme", client_id: "c-1", user_id: null, region: "eu-2" };
    await records.put("cloud_project", { id: "p-1", created_at, updated_at: created_at, ...owner }, 0);
    const at = (region: string) => callAt(records, {}, { region });
    await refreshUsage({ records, regions, clock }, at);
    expect(asked.sort()).toEqual(["eu-1", "eu-2"]);
    expect((await records.get("resource_usage", "eu-1/p-1"))?.record).toMatchObject({
      region: "eu-1",
      used: { cores: 1 },
    });
    expect((await records.get("resource_usage", "eu-2/p-1"))?.record).toMatchObject({
      region: "eu-2",
      used: { cores: 2 },
    });
    await refreshUsage({ records, regions, clock }, at);
    expect(asked).toHaveLength(2);
  });
});

it("two thousand projects are shown within two seconds of what the job has read", async () => {
  const [, open] = stores[0] ?? expect.unreachable();
  const { records } = await open();
  const created_at = new Date(noon).toISOString();
  const owner = { created_at, reseller: "acme", client_id: "c-1", user_id: null, region: "eu-1" };
  const numbers = Array.from({ length: 2_000 }, (_, place) => place);
  for (const place of numbers) {
    await records.put("cloud_project", { id: `p-${place}`, updated_at: created_at, ...owner }, 0);
    const usage = { id: `eu-1/p-${place}`, resource_id: `p-${place}`, used: { cores: 2 }, message: null };
    await records.put("resource_usage", { ...owner, ...usage, read_at: noon, tried_at: noon }, 0);
  }
  for (const quota of ["cores", "ram", "volumes", "gigabytes", "network", "port"]) {
    const level = { created_at, reseller: null, client_id: null, region: "eu-1", resource_id: null };
    await records.put("quota", { id: `quo_${quota}`, ...level, quota, limit: 9_999, allotted: {} }, 0);
  }
  const never = async () => expect.unreachable("no project is asked for");
  const area = quotasArea({
    records,
    regions: { "eu-1": { quotas: { used: never } } },
    clock: fakeClock({ startAt: noon }),
  });
  const begun = performance.now();
  const answer = await area.list?.({}, callAt(records, {}, { region: "eu-1" }));
  expect(performance.now() - begun).toBeLessThan(2_000);
  expect(answer?.cores).toMatchObject([{ used: 4_000, read_at: created_at }]);
}, 240_000);
