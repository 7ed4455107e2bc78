import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Wire } from "../../../adapters/clouds/openstack/client/cloud.ts";
import { type CloudContext, openCloudContext } from "../../../adapters/clouds/openstack/cloud-context.ts";
import { type OpenStack, openstack } from "../../../adapters/clouds/openstack/index.ts";
import type { OperationDeadline } from "../../../adapters/clouds/shared/deadline.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { StoredCloudProject } from "../../../src/operations/records/cloud.ts";
import { callAt } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { useServer } from "../support/servers.ts";
import { adminOptions } from "./iaas-openstack.ts";

const server = useServer("openstack");
const suffix = randomBytes(4).toString("hex");
const { records } = withPortalKinds(memoryStore());

let site: CloudContext;
let admin: OpenStack;
let member: OpenStack;
let own = "";
let other = "";

const run = <T>(act: (work: OperationDeadline) => Promise<T>) =>
  site.run({ signal: new AbortController().signal }, act);
const post = (path: string[], body: Wire, scope?: { projectId: string }) => {
  const service = path[0] === "volumes" ? "volume" : "identity";
  return run((work) => site.cloud.ask({ service, method: "POST", path, body, scope }, work));
};

async function grant(projectId: string, userId: string, roleName: string): Promise<void> {
  const roles = await run((work) => site.cloud.list({ service: "identity", path: ["roles"], key: "roles" }, work));
  const role = String(roles.find(({ name }) => name === roleName)?.id);
  const path = ["projects", projectId, "users", userId, "roles", role];
  await run((work) => site.cloud.ask({ service: "identity", method: "PUT", path }, work));
}

/** A project with a volume in it, and the portal's record that it is the client's. */
async function makeProject(name: string, client_id: string): Promise<string> {
  const { project } = await post(["projects"], { project: { name: `${name}-${suffix}`, domain_id: "default" } });
  const id = String((project as Wire).id);
  const { user } = await run((work) => site.cloud.session(work));
  await grant(id, user.id, "member");
  await post(["volumes"], { volume: { size: 1, name: `${name}-${suffix}` } }, { projectId: id });
  const at = "2026-11-20T12:00:00.000Z";
  const record: StoredCloudProject = { id, created_at: at, updated_at: at, reseller: "r", client_id, region: "eu-1" };
  await records.put("cloud_project", record, 0);
  return id;
}

beforeAll(async () => {
  if (server.missing !== undefined) return;
  const options = adminOptions(server.settings);
  admin = openstack(options);
  site = openCloudContext(options);
  own = await makeProject("own", "one");
  other = await makeProject("other", "two");
  const credentials = { username: `member-${suffix}`, password: "of-the-member" };
  const user = { name: credentials.username, password: credentials.password, domain_id: "default" };
  const { id } = (await post(["users"], { user })).user as Wire;
  await grant(own, String(id), "member");
  member = openstack({ ...options, credentials, scope: { projectId: own } });
});

afterAll(async () => {
  for (const cloud of [admin, member, site]) await cloud?.close();
});

const names = (volumes: readonly unknown[]) => volumes.map((volume) => (volume as Wire).name);

describe("what OpenStack does without a word", () => {
  it("gives a member who asks for all volumes its own: the portal refuses to take them for all", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    for (const name of ["servers", "volumes", "networks", "loadBalancers"] as const) {
      const listing = member.iaas[name]({}, callAt(records, {}));
      await expect(listing, name).rejects.toMatchObject({ code: "backend_error", status: 502 });
    }
    const both = await admin.iaas.volumes({}, callAt(records, { reseller: "r" }));
    expect(names(both.volumes).toSorted()).toEqual([`other-${suffix}`, `own-${suffix}`]);
  });

  it("a caller who sees no more than the member's project is served by the member's token", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const list = await member.iaas.volumes({}, callAt(records, { reseller: "r", client_id: "one" }));
    expect(names(list.volumes)).toEqual([`own-${suffix}`]);
    const foreign = member.iaas.volumes({}, callAt(records, { reseller: "r", client_id: "two" }));
    await expect(foreign).rejects.toMatchObject({ code: "backend_error" });
  });

  it("a member may not look whether a project is empty, and so deletes none", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const deleting = member.iaas.deleteProject({ project_id: own }, callAt(records, {}));
    await expect(deleting).rejects.toMatchObject({ code: "backend_error" });
  });

  it("a token that a service refuses is replaced, once", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const { token } = await run((work) => site.cloud.session(work));
    const headers = { "x-subject-token": token };
    await run((work) =>
      site.cloud.ask({ service: "identity", method: "DELETE", path: ["auth", "tokens"], headers }, work),
    );
    const domains = await run((work) =>
      site.cloud.list({ service: "identity", path: ["domains"], key: "domains" }, work),
    );
    expect(domains.length).toBeGreaterThan(0);
    expect((await run((work) => site.cloud.session(work))).token).not.toBe(token);
  });

  it("says what of our credentials is wrong, and not what they are", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const credentials = { username: "admin", password: "of-somebody-else" };
    const wrong = openstack({ ...adminOptions(server.settings), credentials });
    const error = await Promise.resolve(wrong.iaas.domains({}, callAt(records, {}))).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: "backend_error" });
    expect((error as Error).message).not.toContain("of-somebody-else");
    await wrong.close();
  });

  it("an application credential is a way in as well", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const { user } = await run((work) => site.cloud.session(work));
    const body = { application_credential: { name: `way-in-${suffix}` } };
    const made = (await post(["users", user.id, "application_credentials"], body)).application_credential as Wire;
    const credentials = {
      applicationCredentialId: String(made.id),
      applicationCredentialSecret: String(made.secret),
    };
    const { scope: _scope, ...options } = adminOptions(server.settings);
    const cloud = openstack({ ...options, credentials });
    const list = await cloud.iaas.volumes({}, callAt(records, { reseller: "r", client_id: "two" }));
    expect(names(list.volumes)).toEqual([`other-${suffix}`]);
    await cloud.close();
  });

  it("a project that has a volume stays", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const deleting = admin.iaas.deleteProject({ project_id: other }, callAt(records, {}));
    await expect(deleting).rejects.toThrow("1 volumes");
  });
});
