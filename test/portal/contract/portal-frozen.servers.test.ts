import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { openstack } from "../../../adapters/clouds/openstack/index.ts";
import { usualTransport } from "../../../adapters/shared/http/usual-transport.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import { adminOptions, awaitWritable } from "../../clouds/contract/iaas-openstack.ts";
import { type CloudAdmin, freeze, openCloudAdmin } from "../../clouds/contract/keystone-admin.ts";
import { useServer } from "../../clouds/support/servers.ts";
import { type Answer, openGateway } from "../support/gateway.ts";

const keystone = useServer("openstack", "--keystone-only");

let admin: CloudAdmin;

beforeAll(async () => {
  if (keystone.missing !== undefined) return;
  await awaitWritable(adminOptions(keystone.settings));
  admin = openCloudAdmin(keystone.settings);
});

afterAll(() => admin?.close());

/** Sends requests to the real Keystone, and stops its processes just before or just after one of them. */
function freezing() {
  const transport = usualTransport();
  let left = Number.POSITIVE_INFINITY;
  let isAfter = false;
  let thaw: (() => void) | undefined;
  const whole: Transport["whole"] = async (request) => {
    left -= 1;
    if (left === 0 && !isAfter) thaw = freeze("keystone");
    const answer = await transport.whole(request);
    if (left === 0 && isAfter) thaw = freeze("keystone");
    return answer;
  };
  return {
    transport: { ...transport, whole },
    freezeAt(place: number, after: boolean) {
      [left, isAfter] = [place, after];
    },
    /** Lets Keystone go on; gives whether it was stopped. */
    thaw(): boolean {
      const was = thaw !== undefined;
      thaw?.();
      [left, thaw] = [Number.POSITIVE_INFINITY, undefined];
      return was;
    },
  };
}

async function openPortal(context: TestContext) {
  if (keystone.missing !== undefined) return context.skip(keystone.missing);
  const ice = freezing();
  context.onTestFinished(() => void ice.thaw());
  const timeouts = { connect: 2_000, firstContent: 2_000, gap: 2_000, whole: 3_000 };
  const { iaas, quotas, rollbacks, close } = openstack({
    ...adminOptions(keystone.settings),
    ...{ pageSize: 1_000, timeouts, transport: ice.transport },
  });
  context.onTestFinished(close);
  const store = memoryStore();
  const gateway = await openGateway(store, { "eu-1": { iaas, quotas, rollbacks } });
  const ask = (method: string, path: string, body?: object) => gateway.ask({ method, path, body });
  /** Runs the portal's jobs until no rollback is left; gives how many there were. */
  const finish = async () => {
    const before = await store.records.count("cloud_rollback");
    for (let round = 0; round < 3 && (await store.records.count("cloud_rollback")) > 0; round++) {
      await gateway.clock.advance(20 * 60_000);
      await gateway.portal.start(() => {})();
    }
    expect(await store.records.count("cloud_rollback")).toBe(0);
    return before;
  };
  return { ...gateway, store, ask, ice, finish };
}

const unavailable = [502, 504];
const projectOf = ({ body }: Answer) => (body as { project: { id: string } }).project.id;
const namesOfProjects = async () =>
  (await admin.list({ service: "identity", path: ["projects"], key: "projects" })).map(({ name }) => name);

/** Keystone answers again, and has worked off what waited in its sockets: as many requests as it has threads come behind that. */
const settle = () => Promise.all(Array.from({ length: 16 }, namesOfProjects));

describe("a real Keystone that is frozen in the middle of an operation", () => {
  for (const [when, isAfter] of [
    ["before", false],
    ["after", true],
  ] as const)
    it(`${when} any request of making a project: nothing stays, or a record that a job ends, and the name is free`, async (context) => {
      const { ask, ice, finish, store } = await openPortal(context);
      await ask("GET", "/iaas/projects"); // our token is there
      let records = 0;
      for (let place = 1; ; place++) {
        const name = `frozen-${randomBytes(4).toString("hex")}`;
        ice.freezeAt(place, isAfter);
        const made = await ask("POST", "/iaas/projects", { name, quota_profile: "default" });
        if (!ice.thaw() || made.status === 200) {
          expect(made.status).toBe(200);
          expect(await admin.projectIds()).toContain(projectOf(made));
          expect(await ask("DELETE", `/iaas/project/${projectOf(made)}`)).toMatchObject({ status: 204 });
          break;
        }
        expect(unavailable).toContain(made.status);
        await settle();
        records += await finish();
        expect(await namesOfProjects()).not.toContain(name);
        expect(await store.records.count("cloud_project")).toBe(0);
        const again = await ask("POST", "/iaas/projects", { name, quota_profile: "default" });
        expect(again, `the name after request ${place}`).toMatchObject({ status: 200 });
        expect(await ask("DELETE", `/iaas/project/${projectOf(again)}`)).toMatchObject({ status: 204 });
      }
      expect(records).toBeGreaterThan(0); // a frozen Keystone takes nothing back: some freezes have left a record
    });

  it("at any request of making a credential: no user and no key stays that the portal does not know", async (context) => {
    const { ask, ice, finish } = await openPortal(context);
    const name = `frozen-${randomBytes(4).toString("hex")}`;
    const id = projectOf(await ask("POST", "/iaas/projects", { name, quota_profile: "default" }));
    const keysOf = async () =>
      (await admin.list({ service: "identity", path: ["credentials"], key: "credentials" })).filter(
        ({ project_id }) => project_id === id,
      );
    for (let place = 1; ; place++) {
      const pair = { access_key: `AK${randomBytes(6).toString("hex")}`, secret_key: "hush-hush-hush" };
      const credential = { ...pair, roles: ["member"], description: "", user_bound: false };
      ice.freezeAt(place, false);
      const made = await ask("POST", `/iaas/credentials/${id}`, credential);
      if (!ice.thaw()) {
        expect(made.status).toBe(200);
        break;
      }
      expect(unavailable).toContain(made.status);
      await settle();
      await finish();
      expect(await keysOf(), `keys after request ${place}`).toEqual([]);
      expect(await admin.userNames(), `users after request ${place}`).not.toContain(`tollgate-project-${id}`);
    }
    expect(await keysOf()).toHaveLength(1);
    expect(await ask("DELETE", `/iaas/project/${id}`)).toMatchObject({ status: 204 });
    expect(await keysOf()).toEqual([]);
    expect(await admin.userNames()).not.toContain(`tollgate-project-${id}`);
  });

  for (const [when, isAfter] of [
    ["before", false],
    ["after", true],
  ] as const)
    it(`${when} any request of deleting a project: it is whole and enabled afterwards, or gone with its users`, async (context) => {
      const { ask, ice, finish, store } = await openPortal(context);
      for (let place = 1; ; place++) {
        const name = `frozen-${randomBytes(4).toString("hex")}`;
        const id = projectOf(await ask("POST", "/iaas/projects", { name, quota_profile: "default" }));
        ice.freezeAt(place, isAfter);
        const { status } = await ask("DELETE", `/iaas/project/${id}`);
        const wasFrozen = ice.thaw();
        await settle();
        await finish();
        const isThere = (await admin.projectIds()).includes(id);
        if (status === 204) expect(isThere, `request ${place}`).toBe(false);
        if (isThere) {
          const { project } = await admin.ask({ service: "identity", path: ["projects", id] });
          expect(project, `request ${place}`).toMatchObject({ enabled: true });
          expect(await store.records.get("cloud_project", id)).toBeDefined();
          expect(await ask("DELETE", `/iaas/project/${id}`)).toMatchObject({ status: 204 });
        } else {
          expect([204, ...unavailable]).toContain(status);
          expect([204, 404]).toContain((await ask("DELETE", `/iaas/project/${id}`)).status);
        }
        expect(await admin.projectIds()).not.toContain(id);
        if (!wasFrozen) break;
      }
    });
});
