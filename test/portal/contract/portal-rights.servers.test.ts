import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import type { Wire } from "../../../adapters/clouds/openstack/client/cloud.ts";
import { openCloudContext } from "../../../adapters/clouds/openstack/cloud-context.ts";
import { type OpenStackOptions, openstack } from "../../../adapters/clouds/openstack/index.ts";
import { usualTransport } from "../../../adapters/shared/http/usual-transport.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { WireRequest } from "../../../src/engine/ports/transport.ts";
import { adminOptions, awaitWritable } from "../../clouds/contract/iaas-openstack.ts";
import { type CloudAdmin, openCloudAdmin, type PortalUser } from "../../clouds/contract/keystone-admin.ts";
import { useServer } from "../../clouds/support/servers.ts";
import { openGateway } from "../support/gateway.ts";

const keystone = useServer("openstack", "--keystone-only");

let admin: CloudAdmin;

beforeAll(async () => {
  if (keystone.missing !== undefined) return;
  await awaitWritable(adminOptions(keystone.settings));
  admin = openCloudAdmin(keystone.settings);
});

afterAll(() => admin?.close());

/** A portal with an administrator of its own at the real Keystone, and one project that it has made. */
async function openPortal(context: TestContext, change: (user: PortalUser) => Partial<OpenStackOptions> = () => ({})) {
  if (keystone.missing !== undefined) return context.skip(keystone.missing);
  const user = await admin.makePortalUser();
  const { iaas, quotas, rollbacks, close } = openstack({ ...user.options, ...change(user) });
  context.onTestFinished(close);
  const store = memoryStore();
  const gateway = await openGateway(store, { "eu-1": { iaas, quotas, rollbacks } });
  const ask = (method: string, path: string, body?: object) => gateway.ask({ method, path, body });
  const name = `story-${randomBytes(4).toString("hex")}`;
  const made = await ask("POST", "/iaas/projects", { name, quota_profile: "default" });
  expect(made).toMatchObject({ status: 200 });
  const { id } = (made.body as { project: { id: string } }).project;
  return { ...gateway, user, store, id, name, ask };
}

/** Sends what a back end sends, and notes what was refused with 401. */
function noting(refused: WireRequest[]) {
  const transport = usualTransport();
  const whole: typeof transport.whole = async (request) => {
    const answer = await transport.whole(request);
    if (answer.status === 401) refused.push(request);
    return answer;
  };
  return { ...transport, whole };
}

/** A portal that proves itself by an application credential, which can be replaced by another one. */
async function openWithApplicationCredential(context: TestContext) {
  let made: Wire = {};
  const used = () => {
    return { applicationCredentialId: String(made.id), applicationCredentialSecret: String(made.secret) };
  };
  let own: PortalUser | undefined;
  const make = async ({ userId, options }: PortalUser) => {
    const { cloud, run, close } = openCloudContext(options);
    const name = `way-${randomBytes(4).toString("hex")}`;
    const path = ["users", userId, "application_credentials"];
    const body = { application_credential: { name, unrestricted: true } };
    const answer = await run({ signal: new AbortController().signal }, (deadline) =>
      cloud.ask({ service: "identity", method: "POST", path, body }, deadline),
    );
    await close();
    const former = made;
    made = answer.application_credential as Wire;
    return former;
  };
  const opened = await openPortal(context, (user) => {
    own = user;
    return {
      scope: undefined,
      credentials: async () => {
        if (made.id === undefined) await make(user);
        return used();
      },
    };
  });
  const replace = async () => {
    const former = await make(own ?? opened.user);
    const path = ["users", opened.user.userId, "application_credentials", String(former.id)];
    await admin.ask({ service: "identity", method: "DELETE", path });
    await admin.awaitSecond();
  };
  return { ...opened, replace };
}

const unavailable = { status: 502, body: { error: { code: "backend_error" } } };

describe("rights that a real Keystone takes away from the portal", () => {
  it("its own project disabled: deletions forget nothing, lists are 502; when it is enabled again, all is there", async (context) => {
    const { user, id, store, ask } = await openPortal(context);
    await admin.setEnabled(user.projectId, false);
    expect(await ask("DELETE", `/iaas/project/${id}`)).toMatchObject(unavailable);
    expect(await ask("DELETE", `/iaas/project/${id}`, { purge: true })).toMatchObject(unavailable);
    for (const path of ["/iaas/projects", `/iaas/credentials/${id}`, "/iaas/domains"])
      expect(await ask("GET", path), path).toMatchObject(unavailable);
    expect(await store.records.get("cloud_project", id)).toBeDefined();
    expect(await admin.projectIds()).toContain(id);

    await admin.setEnabled(user.projectId, true);
    expect((await ask("GET", "/iaas/projects")).body).toContainEqual(expect.objectContaining({ id, enabled: true }));
    expect(await ask("DELETE", `/iaas/project/${id}`)).toMatchObject({ status: 204 });
    expect(await admin.projectIds()).not.toContain(id);
  });

  it("its role taken away: refused at the first request, an empty own list is an error; with the role again it works at once", async (context) => {
    const { user, id, ask } = await openPortal(context);
    expect((await ask("GET", `/iaas/credentials/${id}`)).body).toEqual([]);
    const role = { projectId: user.projectId, userId: user.userId };
    await admin.grant({ ...role, role: "member" });
    await admin.revoke({ ...role, role: "admin" });
    expect(await ask("DELETE", `/iaas/project/${id}`)).toMatchObject(unavailable);
    for (const path of ["/iaas/projects", `/iaas/credentials/${id}`])
      expect(await ask("GET", path), path).toMatchObject(unavailable);
    expect(await admin.projectIds()).toContain(id);

    await admin.grant({ ...role, role: "admin" });
    expect((await ask("GET", "/iaas/projects")).body).toContainEqual(expect.objectContaining({ id }));
    expect((await ask("GET", `/iaas/credentials/${id}`)).body).toEqual([]);
  });

  it("to a member Keystone lists the credentials of others as none: after a refusal that is an error, not an empty list", async (context) => {
    if (keystone.missing !== undefined) return context.skip(keystone.missing);
    const user = await admin.makePortalUser();
    const role = { projectId: user.projectId, userId: user.userId };
    await admin.grant({ ...role, role: "member" });
    const { cloud, run, close } = openCloudContext(user.options);
    context.onTestFinished(close);
    const list = (key: string) =>
      run({ signal: new AbortController().signal }, (deadline) =>
        cloud.list({ service: "identity", path: [key], key }, deadline),
      );
    await list("projects");
    await admin.revoke({ ...role, role: "admin" });
    await expect(list("projects")).rejects.toMatchObject({ code: "backend_error" });
    await expect(list("credentials")).rejects.toMatchObject({ code: "backend_error" });
    const answer = await admin.ask({ service: "identity", path: ["users", user.userId, "projects"] });
    expect(answer.projects).toHaveLength(1); // the user is there, and so is its project
  });

  it("its password changed: the file is read again at the first 401, once for all requests that were refused", async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-password-"));
    context.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "password");
    const refused: WireRequest[] = [];
    let reads = 0;
    const { user, id, ask } = await openPortal(context, ({ credentials }) => {
      writeFileSync(file, credentials.password);
      const read = () => {
        reads += 1;
        return { ...credentials, password: readFileSync(file, "utf8") };
      };
      return { credentials: read, transport: noting(refused) };
    });
    expect(reads).toBe(1);
    writeFileSync(file, "second");
    await admin.setPassword(user.userId, "second");
    await admin.awaitSecond();
    const answers = await Promise.all(["a", "b", "c"].map(() => ask("GET", `/iaas/credentials/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(refused.length).toBeGreaterThan(0);
    expect(reads).toBe(2);

    await admin.setPassword(user.userId, "third"); // the file is not changed yet
    await admin.awaitSecond();
    expect(await ask("GET", `/iaas/credentials/${id}`)).toMatchObject(unavailable);
    writeFileSync(file, "third");
    expect(await ask("GET", `/iaas/credentials/${id}`)).toMatchObject({ status: 200 });
  });

  it("its application credential replaced: the new one is used at the first 401", async (context) => {
    const { user, id, ask, replace } = await openWithApplicationCredential(context);
    expect(await ask("GET", `/iaas/credentials/${id}`)).toMatchObject({ status: 200 });
    await replace();
    expect(await ask("GET", `/iaas/credentials/${id}`)).toMatchObject({ status: 200, body: [] });
    expect(await admin.projectIds()).toEqual(expect.arrayContaining([id, user.projectId]));
  });
});
