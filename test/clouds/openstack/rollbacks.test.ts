import { describe, expect, it } from "vitest";
import { openstack } from "../../../adapters/clouds/openstack/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { finishRollbacks } from "../../../src/portal/jobs/rollbacks.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { callAt, noon } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { type Fate, fakeCloud } from "../support/openstack/fake-cloud.ts";

const customer = { reseller: "r1", client_id: "c1" };

/** A cloud, its back end, a customer, and the portal's job with its clock. */
function open(fate: (place: number, line: string) => Fate = () => "pass") {
  const cloud = fakeCloud({ fate });
  const credentials = { username: "admin", password: "hush-hush" };
  const authUrl = "http://identity.test/v3";
  const quotaProfiles = { all: { cores: 4, load_balancer: 1 } };
  const { iaas, rollbacks } = openstack({
    authUrl,
    credentials,
    transport: cloud.transport,
    clock: fakeClock(),
    quotaProfiles,
  });
  const { records } = withPortalKinds(memoryStore());
  const jobAt = (now: number) =>
    finishRollbacks({
      records,
      regions: { "eu-1": { rollbacks } },
      clock: { now: () => now, after: () => () => {} },
    });
  const call = callAt(records, customer);
  const create = (name = "shop", eventId = "evt_rig") =>
    iaas.createProject({ name, quota_profile: "all" }, { ...call, eventId });
  return { cloud, iaas, records, call, jobAt, create };
}

/** Octavia does not take limits, and from then on Keystone does not delete. */
const stuckCreation = (_place: number, line: string): Fate =>
  line.startsWith("PUT load-balancer") || line.startsWith("DELETE identity /projects") ? "break" : "pass";

describe("what a failed creation leaves", () => {
  it("is deleted at Keystone although the service that failed still fails", async () => {
    const { cloud, records, create } = open((_place, line) => (line.includes("load-balancer") ? "break" : "pass"));
    await expect(create()).rejects.toMatchObject({ code: "backend_error" });
    expect([cloud.projects.size, await records.count("cloud_rollback")]).toEqual([0, 0]);
  });

  it("is listed as stuck, and gone once a job can delete it, with growing pauses between its attempts", async () => {
    const { cloud, iaas, records, call, jobAt, create } = open(stuckCreation);
    await expect(create()).rejects.toMatchObject({ message: expect.stringContaining("tries again") });
    expect(await iaas.projects({}, call)).toMatchObject([
      { id: "project-1", name: "shop", enabled: false, state: "stuck" },
    ]);
    const stranger = callAt(records, { reseller: "r2" });
    expect(await iaas.projects({}, stranger)).toEqual([]);
    const deletions = () => cloud.asked.filter((line) => line.startsWith("DELETE identity /projects")).length;
    const minutes: number[] = [];
    for (let minute = 0; minute <= 60; minute++) {
      const before = deletions();
      await jobAt(noon + minute * 60_000);
      if (deletions() > before) minutes.push(minute);
    }
    expect(minutes).toEqual([0, 1, 4, 13, 40]);
    cloud.isBroken = false;
    await jobAt(noon + 2 * 3_600_000);
    expect([cloud.projects.size, await records.count("cloud_rollback")]).toEqual([0, 0]);
    expect(await iaas.projects({}, call)).toEqual([]);
  });

  it("does not keep the name: the next creation takes it back first", async () => {
    const { cloud, records, create } = open(stuckCreation);
    await expect(create()).rejects.toBeDefined();
    cloud.isBroken = false;
    await create("shop", "evt_next");
    expect([...cloud.projects.values()]).toMatchObject([{ name: "shop", tollgate_event: "evt_next" }]);
    expect(await records.count("cloud_rollback")).toBe(0);
  });

  it("is deleted by who sees it, and by nobody else", async () => {
    const { cloud, iaas, records, call, create } = open(stuckCreation);
    await expect(create()).rejects.toBeDefined();
    cloud.isBroken = false;
    const stranger = callAt(records, { reseller: "r2" });
    await expect(iaas.deleteProject({ project_id: "project-1" }, stranger)).rejects.toMatchObject({
      code: "not_found",
    });
    await iaas.deleteProject({ project_id: "project-1" }, call);
    expect([cloud.projects.size, await records.count("cloud_rollback")]).toEqual([0, 0]);
  });

  it("of a process that died is deleted once it is certainly over, and a project that was made whole stays", async () => {
    const { cloud, records, jobAt, create } = open();
    await create();
    const pending = {
      ...{ id: "rbk_x", created_at: new Date(noon).toISOString(), reseller: null, client_id: null, region: "eu-1" },
      ...{ state: "pending" as const, message: null, attempts: 0, retry_at: noon + 600_000 },
    };
    const stepFor = (mark: string) => ({ kind: "delete_project" as const, project_id: null, name: "shop", mark });
    await records.put("cloud_rollback", { ...pending, steps: [stepFor("evt_rig")] }, 0);
    await jobAt(noon + 599_000);
    expect(await records.count("cloud_rollback")).toBe(1);
    await jobAt(noon + 600_000);
    expect([cloud.projects.size, await records.count("cloud_rollback")]).toEqual([1, 0]);
    await records.remove("cloud_project", "project-1"); // what a process leaves that dies before it writes its record
    await records.put("cloud_rollback", { ...pending, steps: [stepFor("evt_rig")] }, 0);
    await jobAt(noon + 600_000);
    expect([cloud.projects.size, await records.count("cloud_rollback")]).toEqual([0, 0]);
  });
});

describe("a 204 is true", () => {
  it("what Keystone says is missing is not, as long as it does not know our own token", async () => {
    const { cloud, iaas, records, call, create } = open();
    await create();
    const elder = [...cloud.projects];
    cloud.projects.clear();
    cloud.isTokenGood = false;
    const refusal = { code: "backend_error", message: expect.stringContaining("may be there") };
    await expect(iaas.deleteProject({ project_id: "project-1" }, call)).rejects.toMatchObject(refusal);
    await expect(iaas.projects({}, call)).rejects.toMatchObject(refusal);
    expect(await records.get("cloud_project", "project-1")).toBeDefined();
    for (const [id, project] of elder) cloud.projects.set(id, project);
    cloud.isTokenGood = true;
    await iaas.deleteProject({ project_id: "project-1" }, call);
    expect([cloud.projects.size, await records.count("cloud_project")]).toEqual([0, 0]);
  });

  it("the project of our own token is neither disabled nor deleted", async () => {
    const { cloud, iaas, records } = open();
    cloud.projects.set("p-own", { id: "p-own", name: "admin", enabled: true, domain_id: "default" });
    const provider = callAt(records, {});
    const refusal = { code: "conflict", param: "project_id" };
    await expect(iaas.disableProject({ project_id: "p-own" }, provider)).rejects.toMatchObject(refusal);
    await expect(iaas.deleteProject({ project_id: "p-own" }, provider)).rejects.toMatchObject(refusal);
    expect(cloud.projects.get("p-own")).toMatchObject({ enabled: true });
  });

  it("no user of ours stays behind a project, unless it holds credentials of another", async () => {
    const { cloud, iaas, call, create } = open();
    await create("shop", "evt_1");
    await create("store", "evt_2");
    const make = (project_id: string, access_key: string, user_bound: boolean) =>
      iaas.createCredential(
        { project_id, access_key, secret_key: "hush", roles: ["member"], description: "", user_bound },
        call,
      );
    await make("project-1", "AK1", false);
    await make("project-1", "AK2", true);
    await make("project-2", "AK3", true);
    expect(cloud.users.size).toBe(2);
    await iaas.deleteProject({ project_id: "project-1" }, call);
    expect([...cloud.users.values()].map(({ name }) => name)).toEqual(["tollgate-user-usr_rig"]);
    await iaas.deleteProject({ project_id: "project-2" }, call);
    expect(cloud.users.size).toBe(0);
  });

  it("credentials of one project are made one after the other: a failing one takes back what no other uses", async () => {
    let failing = true;
    const { cloud, iaas, call, create } = open((_place, line) => {
      if (line !== "POST identity /credentials" || !failing) return "pass";
      failing = false;
      return "break";
    });
    await create();
    const make = (access_key: string) =>
      iaas.createCredential(
        {
          project_id: "project-1",
          access_key,
          secret_key: "hush",
          roles: ["member"],
          description: "",
          user_bound: false,
        },
        { ...call, eventId: `evt_${access_key}` },
      );
    const [first, second] = await Promise.allSettled([make("AK1"), make("AK2")]);
    expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
    const [credential] = [...cloud.credentials.values()];
    expect([...cloud.users.keys()]).toEqual([credential?.user_id]);
    expect([...cloud.grants].filter((grant) => grant.includes(String(credential?.user_id)))).toHaveLength(1);
  });
});
