import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { createEngine } from "../../../../src/index.ts";
import { unreadable } from "../../../../src/portal/call/secrets.ts";
import { createPortal } from "../../../../src/portal/index.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { makeFolder, openLocal } from "../../../clouds/support/local.ts";
import { noon, stores } from "../../support/rig.ts";

const keys = { access_key: "AK-1", secret_key: "hush-hush" };
const cluster = {
  ...{ app_credential_id: "id", app_credential_name: "name", app_credential_secret: "hush" },
  ...{ domain_name: "Default", project_name: "shop" },
};
const lost = {
  code: "invalid_configuration",
  param: "secret",
  message: expect.stringMatching(/TOLLGATE_SECRET.* again\.$/),
};

/** The portal and its embedded cloud over a store, as the first token's holder uses them in a process that has this secret. */
async function openUnder(store: Store, { secret, token, folder }: { secret: string; token?: string; folder: string }) {
  const { records } = store;
  const { iaas, clusters, inventory } = await openLocal({ records, folder, secret });
  const clock = fakeClock({ startAt: noon });
  const engine = createEngine({ providers: [local()], store, clock });
  const regions = { "eu-1": { iaas, clusters } };
  const portal = createPortal({ engine, store, regions, clock, entropy: randomBytes, secret });
  const known = token ?? (await portal.startFirst())?.token ?? "";
  const admin = portal.as(await portal.authenticate(known), { region: "eu-1" });
  return { admin, inventory, token: known };
}

/** A store with one of each thing that is kept sealed, and the portal over it under another secret. */
async function loseSecret(store: Store) {
  const folder = await makeFolder();
  const { admin, token } = await openUnder(store, { secret: "the secret of before", folder });
  const { project } = await admin.iaas.createProject({ name: "shop", quota_profile: "default" });
  const project_id = String(project.id);
  const wish = { roles: ["member"], description: "", user_bound: false };
  await admin.iaas.createCredential({ project_id, ...keys, ...wish });
  await admin.keypair.set({ resource_id: project_id, ...keys });
  const made = await admin.clusters.createProject({ project_id, purpose: "testing" });
  const namespace = String(made.spec?.namespace);
  await admin.clusters.createSecret({ namespace, secret_name: "cloud", ...cluster });
  const { id: task_id } = await admin.tasks.create({ name: "t" });
  const step = { description: "d", method: "GET", step_path: "/context", params: {} } as const;
  await admin.tasks.setStep({ task_id, ...step });
  const again = await openUnder(store, { secret: "the secret of after", token, folder });
  return { ...again, project_id, namespace, task_id };
}

describe.each(stores)("after TOLLGATE_SECRET was lost: %s", (_name, open) => {
  it("credentials are listed without their blob, and one that is made anew is shown whole", async () => {
    const { admin, project_id } = await loseSecret(await open());
    const [credential, ...others] = await admin.iaas.credentials({ project_id });
    expect(others).toEqual([]);
    expect(credential).toMatchObject({ active: true, project_id, type: "ec2" });
    expect(credential).not.toHaveProperty("blob");
    await admin.iaas.deleteCredential({ project_id, credential_id: String(credential?.id) });
    await admin.iaas.createCredential({ project_id, ...keys, roles: ["member"], description: "", user_bound: false });
    const blob = JSON.stringify({ access: keys.access_key, secret: keys.secret_key });
    expect(await admin.iaas.credentials({ project_id })).toMatchObject([{ blob }]);
  });

  it("a key pair tells what is wrong, and is read once it is set again; whether it works is still known", async () => {
    const { admin, project_id: resource_id } = await loseSecret(await open());
    await expect(admin.keypair.get({ resource_id })).rejects.toMatchObject(lost);
    await admin.keypair.set({ resource_id, ...keys });
    expect(await admin.keypair.get({ resource_id })).toMatchObject({ ...keys, active: true });
    await admin.keypair.set({ resource_id, ...keys, access_key: "AK-2" });
    expect(await admin.keypair.get({ resource_id })).toMatchObject({ access_key: "AK-2", active: false });
  });

  it("secrets of clusters are listed by name, and deleted; one tells what is wrong until all of it is set again", async () => {
    const { admin, namespace } = await loseSecret(await open());
    const name = { namespace, secret_name: "cloud" };
    expect(await admin.clusters.secrets({ namespace })).toMatchObject([{ data: {}, metadata: { name: "cloud" } }]);
    await expect(admin.clusters.secret(name)).rejects.toMatchObject(lost);
    await expect(admin.clusters.changeSecret({ ...name, project_name: "shop" })).rejects.toMatchObject(lost);
    await expect(admin.clusters.createSecret({ ...name, ...cluster })).rejects.toMatchObject({ code: "conflict" });
    await admin.clusters.changeSecret({ ...name, ...cluster });
    const tenantName = Buffer.from("shop").toString("base64");
    expect(await admin.clusters.secret(name)).toMatchObject([{ data: { tenantName }, metadata: { name: "cloud" } }]);
    await admin.clusters.deleteSecret(name);
    expect(await admin.clusters.secrets({ namespace })).toEqual([]);
  });

  it("one that cannot be read is deleted", async () => {
    const { admin, namespace } = await loseSecret(await open());
    await admin.clusters.deleteSecret({ namespace, secret_name: "cloud" });
    expect(await admin.clusters.secrets({ namespace })).toEqual([]);
  });

  it("steps of tasks are listed without their fields; one that runs fails by it, and says so", async () => {
    const { admin, task_id } = await loseSecret(await open());
    const [step] = await admin.tasks.steps({ task_id });
    expect(step).toMatchObject({ description: "d", path: "/context" });
    expect(step).not.toHaveProperty("params");
    expect(await admin.tasks.run({ task_id })).toMatchObject({ state: "failed" });
    expect((await admin.tasks.steps({ task_id }))[0]?.response).toContain(unreadable().message);
  });
});
