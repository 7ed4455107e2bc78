import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type { Records } from "../../../src/engine/ports/records.ts";
import { allPermissions } from "../../../src/portal/permissions.ts";
import type { PortalCalls } from "../../../src/portal/portal.ts";
import type { QuotaUsage } from "../../../src/portal/quota-usage.ts";
import { readAll } from "../../../src/portal/tenancy/record-access.ts";
import { contains, type TenantScope, toScope } from "../../../src/portal/tenancy/tenant-scope.ts";
import { openLocal } from "../../clouds/support/local.ts";
import { atDepth } from "../../tiers/depth.ts";
import { openGateway } from "../support/gateway.ts";
import { makePlaces } from "../support/places.ts";
import { callAt } from "../support/rig.ts";

/** The places of the callers: the provider, two resellers, and clients of theirs. */
const places: readonly TenantScope[] = [
  {},
  { reseller: "r-1" },
  { reseller: "r-2" },
  { reseller: "r-1", client_id: "c-1" },
  { reseller: "r-1", client_id: "c-2" },
  { reseller: "r-2", client_id: "c-3" },
];

/** One Nova and one Cinder quota, so that several services take part. The cloud gives a new project 20 and 10. */
const quota = fc.constantFrom("cores", "volumes");
const limit = fc.oneof(fc.nat({ max: 70 }), fc.constantFrom(10, 20, 40));
const place = fc.nat({ max: places.length - 1 });
/** Who sets limits of which level: mostly who may. */
const giving = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom([0, 1], [0, 2], [1, 3], [1, 4], [2, 5], [0, 0], [0, 3]) },
  { weight: 1, arbitrary: fc.tuple(place, place) },
);
const given = fc.oneof(fc.nat({ max: 200 }), fc.constantFrom(20, 40, 60, 100));
const which = fc.nat({ max: 5 });
const profile = fc.constantFrom("default", "small", "large", "endless", "provider's", "reseller's", "client's");

const door = fc.oneof(
  { weight: 4, arbitrary: fc.record({ door: fc.constant("set" as const), giving, quota, limit: given }) },
  { weight: 2, arbitrary: fc.record({ door: fc.constant("set resource" as const), by: place, which, quota, limit }) },
  { weight: 2, arbitrary: fc.record({ door: fc.constant("increase" as const), giving, quota, limit }) },
  {
    weight: 1,
    arbitrary: fc.record({ door: fc.constant("increase resource" as const), by: place, which, quota, limit }),
  },
  { weight: 2, arbitrary: fc.record({ door: fc.constant("apply" as const), giving, profile }) },
  { weight: 1, arbitrary: fc.record({ door: fc.constant("apply resource" as const), by: place, which, profile }) },
  { weight: 4, arbitrary: fc.record({ door: fc.constant("create" as const), by: place, to: place, profile }) },
  { weight: 1, arbitrary: fc.record({ door: fc.constant("delete" as const), by: place, which }) },
  { weight: 3, arbitrary: fc.record({ door: fc.constant("set project" as const), by: place, which, quota, limit }) },
  { weight: 2, arbitrary: fc.record({ door: fc.constant("project profile" as const), by: place, which, profile }) },
);
const step = fc.record({ door, faults: fc.boolean() });
type Door = typeof door extends fc.Arbitrary<infer D> ? D : never;

/** A portal over an embedded cloud, whose services can be made to refuse. */
async function openWorld() {
  const store = memoryStore();
  const cloud = await openLocal({
    records: store.records,
    quotaProfiles: { small: { cores: 4, volumes: 2 }, large: { cores: 60, volumes: 60 }, endless: { cores: -1 } },
  });
  let isFaulty = false;
  const fail = () => {
    if (isFaulty) throw new GatewayError("backend_unreachable", "The service is not there.");
  };
  const quotas: QuotaUsage = {
    ...cloud.quotas,
    async set(id, limits, call) {
      fail();
      await cloud.quotas.set(id, limits, call);
    },
  };
  const iaas = {
    ...cloud.iaas,
    setProjectQuota: async (...args: Parameters<typeof cloud.iaas.setProjectQuota>) => {
      fail();
      return cloud.iaas.setProjectQuota(...args);
    },
  };
  const { portal } = await openGateway(store, { "eu-1": { iaas, quotas } });
  for (const at of places) if (at.reseller !== undefined) await makePlaces(portal, { level: "client", ...at } as never);
  const calls = places.map((scope) => {
    const caller = { user: { id: "usr_rig", username: "rig" }, scope, permissions: allPermissions, token_id: null };
    return portal.as(caller, { region: "eu-1" });
  });
  const own = [
    [0, "provider's", 15],
    [1, "reseller's", 30],
    [3, "client's", 50],
  ] as const;
  for (const [by, name, cores] of own) {
    const entries = [
      { name: "cores", limit: cores },
      { name: "volumes", limit: cores },
    ];
    await calls[by]?.profiles.create({ name, profile_type: "quota", entries });
  }
  const heldBy = (id: string) => cloud.quotas.limits(id, callAt(store.records, {}));
  return {
    records: store.records,
    calls,
    heldBy,
    setFaulty(is: boolean) {
      isFaulty = is;
    },
  };
}

type World = Awaited<ReturnType<typeof openWorld>>;

/** What the services hold for every project, and the limits of the tree. */
async function look({ records, heldBy }: World) {
  const projects = await readAll(records, "cloud_project");
  const held = await Promise.all(projects.map(async (project) => ({ project, limits: await heldBy(project.id) })));
  const limits = (await readAll(records, "quota")).map(
    ({ reseller, client_id, resource_id, quota: name, limit: amount }) => {
      return { reseller, client_id, resource_id, quota: name, limit: amount };
    },
  );
  return { held, limits: limits.filter((one) => one.limit !== null) };
}

/** No level's projects may use more than the level was given, and no project has more at its services than in the tree. */
function checkTree({ held, limits }: Awaited<ReturnType<typeof look>>): void {
  for (const { resource_id, quota: name, limit: given, ...at } of limits) {
    const level = toScope(at);
    const inside = held.filter(({ project }) => contains(level, project) && [null, project.id].includes(resource_id));
    const sum = inside.reduce((total, { limits: own }) => {
      const amount = own[name] ?? 0;
      return total + (amount < 0 ? Number.POSITIVE_INFINITY : amount);
    }, 0);
    expect(sum, `${name} of ${JSON.stringify({ ...at, resource_id })}`).toBeLessThanOrEqual(given as number);
  }
}

async function walk(world: World, one: Door): Promise<unknown> {
  const [by = 0, to = 0] = "giving" in one ? one.giving : [one.by, "to" in one ? one.to : 0];
  const calls = world.calls[by] as PortalCalls;
  const levelOf = (at: number) => ({ reseller: places[at]?.reseller ?? "", client_id: places[at]?.client_id ?? "" });
  const projects = await readAll(world.records as Records, "cloud_project");
  const project = "which" in one ? projects[one.which % Math.max(1, projects.length)] : undefined;
  if ("which" in one && project === undefined) return undefined;
  const id = project?.id ?? "";
  const owner = { reseller: project?.reseller ?? "", client_id: project?.client_id ?? "", resource_id: id };
  const tenant = { project_id: id, reseller: project?.reseller ?? "none", client: project?.client_id ?? "none" };
  switch (one.door) {
    case "set":
      return calls.quotas.set({ ...levelOf(to), resource_id: "", quota: one.quota, limit: one.limit });
    case "set resource":
      return calls.quotas.set({ ...owner, quota: one.quota, limit: one.limit });
    case "increase":
      return calls.quotas.increase({ ...levelOf(to), resource_id: "", quota: one.quota, increase: one.limit + 1 });
    case "increase resource":
      return calls.quotas.increase({ ...owner, quota: one.quota, increase: one.limit + 1 });
    case "apply": {
      const { reseller, client_id } = levelOf(to);
      return calls.quotas.applyProfile({
        profile_id: one.profile,
        reseller_name: reseller,
        client_id,
        resource_id: "",
      });
    }
    case "apply resource": {
      const { reseller, client_id, resource_id } = owner;
      return calls.quotas.applyProfile({ profile_id: one.profile, reseller_name: reseller, client_id, resource_id });
    }
    case "create": {
      const { reseller, client_id } = levelOf(to);
      const named = { ...(reseller && { reseller }), ...(client_id && { client: client_id }) };
      return calls.iaas.createProject({
        name: `p-${projects.length}-${Math.random()}`,
        quota_profile: one.profile,
        ...named,
      });
    }
    case "delete":
      return calls.iaas.deleteProject({ project_id: id });
    case "set project":
      return calls.iaas.setProjectQuota({ ...tenant, quota: one.quota, limit: one.limit });
    case "project profile":
      return calls.iaas.setProjectQuota({ ...tenant, quota_profile: one.profile });
  }
}

test("by whatever sequence of operations, by whomever, no level's projects may use more than it was given, and what fails changes nothing", async () => {
  const byDoor = new Map<string, number>();
  const told = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 24 }), async (steps) => {
    const world = await openWorld();
    for (const { door: one, faults } of steps) {
      const before = await look(world);
      world.setFaulty(faults);
      const thrown = await walk(world, one).then(
        () => undefined,
        (error: unknown) => error,
      );
      world.setFaulty(false);
      const after = await look(world);
      checkTree(after);
      if (thrown === undefined) byDoor.set(one.door, (byDoor.get(one.door) ?? 0) + 1);
      else {
        expect(isGatewayError(thrown) && thrown.code !== "internal", String(thrown)).toBe(true);
        const shown = ({ held, limits }: typeof before) => [
          held.map(({ project, limits: own }) => [project.id, own]),
          new Set(limits.map((row) => JSON.stringify(row))),
        ];
        expect(shown(after), JSON.stringify(one)).toEqual(shown(before));
      }
    }
  });
  await fc.assert(told, { numRuns: 150 });
  for (const name of ["set", "set resource", "create", "set project"])
    expect(byDoor.get(name) ?? 0, name).toBeGreaterThan(atDepth(5));
});
