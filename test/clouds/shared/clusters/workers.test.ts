import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubeRequest } from "../../../../adapters/clouds/gardener/index.ts";
import { on, type Reply, rig, shootPath, status } from "../../support/gardener/rig.ts";

const input = { namespace: "garden-p1", shoot_name: "web" };

interface Group {
  name: string;
  machine: { type: string };
  minimum: number;
  maximum: number;
  zones: string[];
}

interface Step {
  op: string;
  path: string;
  value?: unknown;
}

/** An API server of one cluster: applies JSON patches as RFC 6902 says, merge patches as RFC 7386 says, and counts versions. */
function oneShoot(groups: readonly Group[], meddle: (shoot: Shoot, reads: number) => void = () => {}) {
  const shoot: Shoot = { version: 1, groups: structuredClone([...groups]) };
  let reads = 0;
  const shown = (): Reply => [
    200,
    {
      metadata: { name: "web", resourceVersion: String(shoot.version) },
      spec: { provider: { workers: shoot.groups } },
    },
  ];
  const read = on("GET", shootPath, () => {
    const answer = JSON.parse(JSON.stringify(shown()));
    meddle(shoot, ++reads);
    return answer;
  });
  const patch = (request: KubeRequest): Reply | undefined => {
    if (request.method !== "PATCH" || request.path !== shootPath) return undefined;
    if (request.contentType !== "application/json-patch+json") {
      shoot.groups = (request.body as { spec: { provider: { workers: Group[] } } }).spec.provider.workers;
    } else if (!apply(shoot, request.body as Step[])) {
      return status(422, "the server rejected our request due to an error in our request");
    }
    shoot.version++;
    return shown();
  };
  return { shoot, scripts: [read, patch], reads: () => reads };
}

interface Shoot {
  version: number;
  groups: Group[];
}

function apply(shoot: Shoot, steps: readonly Step[]): boolean {
  const groups = structuredClone(shoot.groups);
  for (const { op, path, value } of steps) {
    const [, at = "", name] = /^\/spec\/provider\/workers\/(\d+|-)(\/name)?$/.exec(path) ?? [];
    if (op === "test") {
      const present = path === "/metadata/resourceVersion" ? String(shoot.version) : groups[Number(at)]?.name;
      if (present !== value) return false;
      continue;
    }
    expect(name).toBeUndefined();
    if (op === "replace") groups[Number(at)] = value as Group;
    else if (op === "remove") groups.splice(Number(at), 1);
    else groups.push(value as Group);
  }
  shoot.groups = groups;
  return true;
}

const anyGroups = fc.uniqueArray(
  fc.record({
    name: fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/),
    machine: fc.record({ type: fc.constantFrom("m1.small", "m1.large") }),
    minimum: fc.integer({ min: 0, max: 3 }),
    maximum: fc.integer({ min: 3, max: 9 }),
    zones: fc.subarray(["z1", "z2", "z3"], { minLength: 1 }),
  }),
  { selector: ({ name }) => name, minLength: 2, maxLength: 6 },
);

describe("worker groups", () => {
  it("a change of one group keeps every other one as it is, in its place", async () => {
    await fc.assert(
      fc.asyncProperty(anyGroups, fc.nat(), fc.integer({ min: 9, max: 20 }), async (groups, pick, maximum_workers) => {
        const at = pick % groups.length;
        const { shoot, scripts } = oneShoot(groups);
        const { backend, call } = rig(scripts);
        const worker_group_name = groups[at]?.name ?? "";
        await backend.changeWorkerGroup?.({ ...input, worker_group_name, maximum_workers }, call);
        expect(shoot.groups).toEqual(
          groups.map((group, n) => (n === at ? { ...group, maximum: maximum_workers } : group)),
        );
      }),
    );
  });

  it("a removal removes that group only, and an addition adds at the end", async () => {
    await fc.assert(
      fc.asyncProperty(anyGroups, fc.nat(), async (groups, pick) => {
        const at = pick % groups.length;
        const { shoot, scripts } = oneShoot(groups);
        const { backend, call } = rig(scripts);
        await backend.deleteWorkerGroup?.({ ...input, worker_group_name: groups[at]?.name ?? "" }, call);
        expect(shoot.groups).toEqual(groups.filter((_, n) => n !== at));
        const fields = { image_name: "ubuntu", image_version: "1", iaas_flavor: "m1.small", zones: ["z1"] };
        const added = { ...input, ...fields, worker_name: "added-one", minimum_workers: 1, maximum_workers: 2 };
        await backend.createWorkerGroup?.(added, call);
        expect(shoot.groups.map(({ name }) => name)).toEqual([
          ...groups.filter((_, n) => n !== at).map(({ name }) => name),
          "added-one",
        ]);
      }),
    );
  });

  it("what others change meanwhile is read again and kept", async () => {
    const groups = [group("default"), group("big")];
    const { shoot, scripts, reads } = oneShoot(groups, (present, count) => {
      if (count !== 1) return;
      present.groups = [group("new"), ...present.groups];
      present.version++;
    });
    const { backend, call } = rig(scripts);
    await backend.changeWorkerGroup?.({ ...input, worker_group_name: "big", maximum_workers: 7 }, call);
    expect(shoot.groups).toEqual([group("new"), group("default"), { ...group("big"), maximum: 7 }]);
    expect(reads()).toBe(2);
  });

  it("gives up with 409 when others were faster three times, and has changed nothing", async () => {
    const groups = [group("default"), group("big")];
    const { shoot, scripts, reads } = oneShoot(groups, (present) => {
      present.version++;
    });
    const { backend, call } = rig(scripts);
    const changing = backend.changeWorkerGroup?.({ ...input, worker_group_name: "big", maximum_workers: 7 }, call);
    await expect(changing).rejects.toMatchObject({ code: "conflict" });
    expect(shoot.groups).toEqual(groups);
    expect(reads()).toBe(3);
  });

  it("a refusal with reasons is not taken for a change by others", async () => {
    const causes = [
      { reason: "FieldValueForbidden", message: "downgrade is not supported", field: "spec.kubernetes.version" },
    ];
    const refused = status(422, 'Shoot "web" is invalid: spec.kubernetes.version: Forbidden: downgrade', {
      details: { name: "web", causes },
    });
    const { scripts, reads } = oneShoot([group("default")]);
    const { backend, call } = rig([on("PATCH", shootPath, refused), ...scripts]);
    const changing = backend.changeShoot?.({ ...input, kubernetes_version: "1.1.1" }, call);
    await expect(changing).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("downgrade"),
    });
    expect(reads()).toBe(1);
  });

  it("fields of the default group are refused when it is gone, and nothing else is written", async () => {
    const { scripts } = oneShoot([group("big")]);
    const { backend, asked, call } = rig(scripts);
    const changing = backend.changeShoot?.({ ...input, maximum_workers: 5, purpose: "production" }, call);
    await expect(changing).rejects.toMatchObject({ code: "conflict" });
    expect(asked.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("another image without a version takes none of the old one's", async () => {
    const image = { name: "ubuntu", version: "22.4.0" };
    const old = { ...group("default"), machine: { type: "m1.small", image } };
    const { shoot, scripts } = oneShoot([old]);
    const { backend, call } = rig(scripts);
    await backend.changeShoot?.({ ...input, image_name: "flatcar" }, call);
    expect(shoot.groups[0]?.machine).toEqual({ type: "m1.small", image: { name: "flatcar" } });
  });
});

function group(name: string): Group {
  return { name, machine: { type: "m1.small" }, minimum: 1, maximum: 3, zones: ["z1"] };
}
