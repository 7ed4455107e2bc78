import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openstack } from "../../../adapters/clouds/openstack/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import { finishRollbacks } from "../../../src/portal/jobs/rollbacks.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { callAt, noon } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { type FakeCloud, type Fate, fakeCloud } from "../support/openstack/fake-cloud.ts";

const quotaProfiles = { all: { cores: 4, volumes: 3, network: 2, load_balancer: 1, zones: 5 } };

/** A cloud, its back end, and a caller. */
function open(fate: (place: number, line: string) => Fate) {
  const cloud = fakeCloud({ fate });
  const credentials = { username: "admin", password: "hush-hush" };
  const options = {
    authUrl: "http://identity.test/v3",
    credentials,
    transport: cloud.transport,
    clock: fakeClock(),
    quotaProfiles,
  };
  const { records } = withPortalKinds(memoryStore());
  const { iaas, rollbacks } = openstack(options);
  return { cloud, iaas, rollbacks, records, call: callAt(records, {}) };
}

type Opened = ReturnType<typeof open>;

/** The cloud works again, and the portal's job runs until it has nothing to do. */
async function mend({ cloud, rollbacks, records }: Opened): Promise<void> {
  cloud.isBroken = false;
  cloud.catchUp();
  let now = noon;
  for (let run = 0; run < 5; run++, now += 3_600_000)
    await finishRollbacks({
      records,
      regions: { "eu-1": { rollbacks } },
      clock: { now: () => now, after: () => () => {} },
    });
  expect(await records.count("cloud_rollback")).toBe(0);
}

const namesOf = async ({ iaas, call }: Opened) => (await iaas.projects({}, call)).map(({ name }) => name);

/** The same, with a project of the portal in it, made while nothing went wrong. */
async function openWithProject(fate: (place: number, line: string) => Fate) {
  let offset = Number.POSITIVE_INFINITY;
  const opened = open((place, line) => (place < offset ? "pass" : fate(place - offset, line)));
  const { project } = await opened.iaas.createProject({ name: "shop", quota_profile: "all" }, opened.call);
  opened.cloud.quotas.clear();
  opened.cloud.grants.clear();
  offset = opened.cloud.asked.length;
  return { ...opened, project_id: String(project.id) };
}

async function failureOf(asked: unknown): Promise<GatewayError | undefined> {
  try {
    await asked;
    return undefined;
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
}

/** One request goes wrong, in one of the ways there are; and perhaps everything after it. */
const anyFailure = fc.record({
  place: fc.nat({ max: 24 }),
  fate: fc.constantFrom<Fate>("break", "lose", "drop", "leave", "late"),
  isLasting: fc.boolean(),
});
type Failure = { readonly place: number; readonly fate: Fate; readonly isLasting: boolean };

const fateOf =
  ({ place: at, fate, isLasting }: Failure) =>
  (place: number): Fate =>
    place === at || (isLasting && place > at) ? fate : "pass";

const says = (failure: GatewayError | undefined, text: string | RegExp) => expect(failure?.message).toMatch(text);

describe("a new project", () => {
  const make = ({ iaas, call }: Opened) => iaas.createProject({ name: "shop", quota_profile: "all" }, call);

  it("is there whole, or not at all, or the error says that it is left", async () => {
    await fc.assert(
      fc.asyncProperty(anyFailure, async (failing) => {
        const opened = open(fateOf(failing));
        const failure = await failureOf(make(opened));
        const left = [...opened.cloud.projects.values()];
        if (failure === undefined) {
          expect(left).toHaveLength(1);
          expect(opened.cloud.quotas.size).toBe(5);
          return;
        }
        if (left.length > 0) says(failure, /tries again until nothing is left/);
        await mend(opened);
        expect([opened.cloud.projects.size, await namesOf(opened)]).toEqual([0, []]);
        expect(await opened.records.get("cloud_project", "project-1")).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it("that is refused takes nothing back: what has the name is somebody else's", async () => {
    const opened = open(() => "pass");
    await make(opened);
    expect(await failureOf(make(opened))).toMatchObject({ code: "conflict" });
    expect(opened.cloud.projects.size).toBe(1);
  });

  it("whose making was not answered is found by its mark, and not by its name alone", async () => {
    for (const fate of ["lose", "drop"] as const) {
      const lost = open((_place, line) => (line === "POST identity /projects" ? fate : "pass"));
      if (fate === "drop") lost.cloud.projects.set("elder", { id: "elder", name: "shop" });
      const code = fate === "lose" ? "backend_timeout" : "backend_unreachable";
      expect(await failureOf(make(lost))).toMatchObject({ code });
      expect([...lost.cloud.projects.keys()]).toEqual(fate === "lose" ? [] : ["elder"]);
    }
  });
});

describe("a change of quotas", () => {
  const change = (opened: Opened & { project_id: string }) => {
    const whose = { project_id: opened.project_id, client: "c", reseller: "r" };
    return opened.iaas.setProjectQuota({ ...whose, quota_profile: "all" }, opened.call);
  };

  it("is made at every service, or at none, or the error says what was left", async () => {
    await fc.assert(
      fc.asyncProperty(anyFailure, async (failing) => {
        const opened = await openWithProject(fateOf(failing));
        const failure = await failureOf(change(opened));
        const changed = [...opened.cloud.quotas.values()].flatMap((set) => Object.entries(set));
        const isWhole = changed.every(([name, limit]) => limit === quotaProfiles.all[name as "cores"]);
        if (failure === undefined) {
          expect([changed.length, isWhole]).toEqual([5, true]);
          return;
        }
        const defaults = { cores: 20, volumes: 10, network: 100, load_balancer: -1, zones: 10 } as const;
        const isBack = changed.every(([name, limit]) => limit === defaults[name as "cores"]);
        if (!isBack) says(failure, /could not be put back/);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a new credential", () => {
  const make = ({ iaas, call, project_id }: Opened & { project_id: string }) => {
    const keys = { access_key: "AK", secret_key: "of-the-credential" };
    return iaas.createCredential(
      { ...keys, project_id, roles: ["member", "reader"], description: "", user_bound: false },
      call,
    );
  };
  const count = ({ users, grants, credentials }: FakeCloud) => [users.size, grants.size, credentials.size];

  it("is there with its user and its roles, or nothing of it is, or the error says so; it never says the secret", async () => {
    await fc.assert(
      fc.asyncProperty(anyFailure, async (failing) => {
        const opened = await openWithProject(fateOf(failing));
        const failure = await failureOf(make(opened));
        if (failure === undefined) {
          expect(count(opened.cloud)).toEqual([1, 2, 1]);
          return;
        }
        expect(failure.message).not.toContain("of-the-credential");
        const [, grants, credentials] = count(opened.cloud);
        if (grants !== 0 || credentials !== 0) says(failure, /could not all be removed/);
        await mend(opened);
        expect(count(opened.cloud)).toEqual([0, 0, 0]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("the deletion of a project", () => {
  const remove = ({ iaas, call, project_id }: Opened & { project_id: string }) =>
    iaas.deleteProject({ project_id }, call);

  it.each<Fate>(["break", "lose", "drop", "leave", "late"])(
    "leaves it as it was, or the error says that it is disabled: any request, and perhaps all after it: %s",
    async (fate) => {
      for (const isLasting of [false, true])
        for (let place = 0; place < 30; place++) {
          const opened = await openWithProject(fateOf({ place, fate, isLasting }));
          const failure = await failureOf(remove(opened));
          const project = opened.cloud.projects.get(opened.project_id);
          if (failure === undefined) {
            expect(project).toBeUndefined();
            continue;
          }
          if (project?.enabled === false) says(failure, /could not be enabled again/);
          await mend(opened);
          expect(opened.cloud.projects.get(opened.project_id)?.enabled ?? true).toBe(true);
        }
    },
  );

  it("is refused for what is made between the look and the deletion, and the project is enabled again", async () => {
    const opened: Opened & { project_id: string } = await openWithProject((_place, line) => {
      const volume = { id: "v1", "os-vol-tenant-attr:tenant_id": "project-1" };
      if (line.startsWith("PATCH identity")) opened.cloud.volumes.push(volume);
      return "pass";
    });
    expect(await failureOf(remove(opened))).toMatchObject({ code: "conflict" });
    expect(opened.cloud.projects.get(opened.project_id)).toMatchObject({ enabled: true });
  });

  it("that comes late does not enable what an operator has disabled meanwhile", async () => {
    const opened = await openWithProject((_place, line) => (line.startsWith("PATCH identity") ? "late" : "pass"));
    const { cloud, iaas, call, project_id } = opened;
    expect(await failureOf(remove(opened))).toMatchObject({ code: "backend_timeout" });
    cloud.isBroken = false;
    await iaas.disableProject({ project_id }, call);
    await mend(opened);
    expect(cloud.projects.get(project_id)).toMatchObject({ enabled: false });
  });
});
