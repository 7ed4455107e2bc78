import { beforeAll, describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { type Demo, fillDemo } from "../../../src/cli/demo/fill.ts";
import { portalRows } from "../../../src/operations/portal/table.ts";
import { operator } from "../../../src/portal/call/operator.ts";
import { openLocal } from "../../contract/local.ts";
import { type Gateway, openGateway } from "./gateway.ts";
import { noon } from "./rig.ts";

type Fields = Readonly<Record<string, unknown>>;

const endpoint = "http://gateway.test/objects";
const region = "eu-1";

let gateway: Gateway;
let values: Fields;

beforeAll(async () => {
  const store = memoryStore();
  const cloud = await openLocal({ records: store.records, endpoint });
  gateway = await openGateway(store, { [region]: cloud });
  values = await collectValues(
    await fillDemo({ portal: gateway.portal, store, region, cloud, tier: "standard", now: noon }),
    gateway,
  );
}, 60_000);

/** A value for every parameter and every field, from what the demo has made. */
async function collectValues({ projects, tenants }: Demo, { portal }: Gateway): Promise<Fields> {
  const shop = projects.bakery;
  const calls = portal.as(operator, { region });
  const user_id = tenants.find(({ username }) => username === "ben")?.user_id ?? "";
  const project_id = shop?.project_id ?? "";
  const profiles = await calls.profiles.list({});
  const role = await calls.users.createRole({ name: "Reader", permissions: ["ai-get"] });
  const notices = await calls.notifications.list({});
  const backups = await calls.backups.list({});
  const spare = await calls.iaas.createProject({ name: "spare", quota_profile: "default" });
  return {
    ...{ user_id, project_id, spare_id: spare.project.id, role_id: role.id },
    key_id: (await calls.ai.keys({})).find(({ name }) => name === "bakery website")?.id,
    ai_project_id: (await calls.ai.projects({})).find(({ name }) => name === "bakery assistant")?.id,
    profile_id: profiles.find(({ type }) => type === "permission")?.id,
    quota_profile_id: profiles.find(({ type }) => type === "quota")?.id,
    task_id: (await calls.tasks.list({})).find((task) => task.user_id === user_id)?.id,
    id: notices[0]?.id,
    backup_id: backups.find((one) => one.state === "available" && one.resource_id === shop?.volume_id)?.id,
    credential_id: (await calls.iaas.credentials({ project_id }))[0]?.id,
    token_id: (await calls.users.tokens({ user_id }))[0]?.id,
    ...{ resource_id: shop?.volume_id, volume_id: shop?.volume_id, vm_id: shop?.server_id, bucket: shop?.bucket },
    ...{ namespace: shop?.namespace, project_name: shop?.namespace.replace("garden-", "") },
    ...{ secret_binding_name: "cloud", secret_name: "cloud", shoot_name: "shop", worker_group_name: "default" },
    ...{ cloudprofilename: "local", dashboard_path: "iaas-projects", lang: "de", policy_id: "daily" },
  };
}

const whose = { client_id: "bakery", reseller: "northwind" };
const holder = { client_id: "bakery", reseller_name: "northwind", entity: "client", profile_type: "permission" };
const machines = { image_name: "ubuntu", image_version: "24.4.0", iaas_flavor: "m1.large", zones: ["nova"] };
const keys = { access_key: "AKDEMO", secret_key: "hush-hush" };
const objects = { bucket: "bakery-pictures", objectstore_url: endpoint };
const credential = { app_credential_id: "id", app_credential_name: "name", app_credential_secret: "hush" };

/** Bodies of what needs one; `@name` stands for a collected value. */
const bodies: Readonly<Record<string, Fields>> = {
  "ai.createKey": { name: "more", description: "", tier: "standard", user_bound: false },
  "ai.createProject": { name: "more", description: "", tier: "standard" },
  "ai.changeKey": { name: "renamed" },
  "ai.changeProject": { description: "renamed" },
  "ai.assignKey": { user_id: "@user_id" },
  "ai.addUsers": { users_ids: ["@user_id"] },
  "ai.removeUsers": { users_ids: ["@user_id"] },
  "keypair.get": { resource_id: "@project_id" },
  "keypair.set": { resource_id: "@project_id", ...keys },
  "profiles.create": { name: "More", profile_type: "permission" },
  "profiles.change": { description: "changed" },
  "profiles.assign": { ...holder, profile_id: "@profile_id" },
  "profiles.reassign": { ...holder, profile_ids: ["@profile_id"] },
  "profiles.unassign": { ...holder, profile_id: "@profile_id" },
  "quotas.applyProfile": { client_id: "bakery", reseller_name: "northwind", resource_id: "" },
  "quotas.set": { ...whose, resource_id: "", quota: "ai_keys", limit: 12 },
  "quotas.increase": { ...whose, resource_id: "", quota: "ai_keys", increase: 1 },
  "tasks.create": { name: "more" },
  "tasks.setStep": { description: "x", method: "GET", params: {}, step_path: "/context" },
  "users.create": { username: "mia", level: "client", ...whose },
  "users.change": { first_name: "Benedict" },
  "users.createRole": { name: "More", permissions: ["ai-get"] },
  "users.changeRole": { description: "changed" },
  "users.assignRole": { user_id: "@user_id" },
  "users.unassignRole": { user_id: "@user_id" },
  "users.createToken": { name: "more" },
  "users.setPermissions": { permissions: ["ai-get"] },
  "backups.create": { policy_id: "weekly", resource_id: "@project_id", resource_type: "project", starting_hour: 2 },
  "backups.extend": { ttl: "60d" },
  "backups.unassign": { resource_id: "@resource_id", reason: "x", ttl: "30d" },
  "backups.restoreImage": { volume_name: "image" },
  "backups.restoreVolume": { volume_name: "copy", availability_zone: "nova", volume_type: "standard" },
  "clusters.createSecret": { ...credential, domain_name: "Default", project_name: "p", secret_name: "more" },
  "clusters.createSecretBinding": { secret_name: "cloud", secretbinding_name: "more" },
  "clusters.changeSecret": { project_name: "changed" },
  "clusters.createShoot": {
    ...{ ...machines, cloud_profile_name: "local", kubernetes_version: "1.31.4", purpose: "testing", region: "local" },
    ...{ secret_binding_name: "cloud", shoot_name: "more" },
  },
  "clusters.changeShoot": { kubernetes_version: "1.32.2" },
  "clusters.createWorkerGroup": { ...machines, minimum_workers: 1, maximum_workers: 2, worker_name: "more" },
  "clusters.changeWorkerGroup": { maximum_workers: 3 },
  "clusters.createProject": { project_id: "@spare_id", purpose: "testing" },
  "clusters.changeProject": { purpose: "testing" },
  "iaas.createCredential": { ...keys, roles: ["member"], description: "", user_bound: false },
  "iaas.createDomain": { name: "more" },
  "iaas.createProject": { name: "more", quota_profile: "Small shop", ...{ client: "bakery", reseller: "northwind" } },
  "iaas.setProjectQuota": {
    project_id: "@project_id",
    client: "bakery",
    reseller: "northwind",
    quota: "cores",
    limit: 9,
  },
  "objectstore.deleteVersions": { ...objects, project_id: "@project_id" },
  "objectstore.shareBucket": { ...objects, project_id: "@spare_id" },
  "objectstore.unshareBucket": { bucket: objects.bucket },
  "objectstore.shareUrl": { bucket: objects.bucket, key: "opening-hours.txt", expire: 60, url: endpoint },
  "objectstore.sharedUrl": { bucket: objects.bucket, key: "opening-hours.txt" },
  "i18n.setToken": { key: "menu.ai", value: "KI" },
  "notifications.markRead": { id: "@id" },
  "properties.set": { property: "more", value: "x", description: "" },
};

/** What the demo's state does not let happen, and what is said then. */
const refused: Readonly<Record<string, string>> = {
  "quotas.applyProfile": "409 conflict: The level above has no limit for `cores`. Set that limit first.",
  "tasks.run": "409 conflict: The task",
  "tasks.setStep": "409 conflict: The task",
  "backups.forceStart": "409 conflict: The backup",
  "backups.cancel": "409 conflict: The backup",
  "backups.restore": "409 conflict: The volume is in-use: detach it first",
  "profiles.delete": "409 conflict: The profile",
  "ai.deleteProject": "409 conflict: The project",
  "clusters.deleteSecret": "409 conflict: The secret `cloud` is bound by",
  "clusters.deleteProject": "409 conflict: The cluster project still has",
  "iaas.deleteProject": "409 conflict: The project is used by the cluster project",
};

/** Parameters that stand for something else in one row than their name says. */
const otherValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "quotas.applyProfile": { profile_id: "quota_profile_id" },
  "profiles.dashboards": { name: "profile_id" },
  "profiles.permissions": { name: "profile_id" },
  "profiles.profiles": { name: "profile_id" },
};

function fill(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (_, value) =>
    typeof value === "string" && value.startsWith("@") ? values[value.slice(1)] : value,
  );
}

const order = ["GET", "POST", "PATCH", "DELETE"];
/** Readers first; what is deleted last goes the other way round, parts before what they are parts of. */
const rows = portalRows
  .map((row) => ({ ...row, id: `${row.area}.${row.name}` }))
  .toReversed()
  .toSorted((one, other) => order.indexOf(one.operation.method) - order.indexOf(other.operation.method));

/** What may be everybody's: levels below the provider inherit it, or it is of the console. */
const shared: ReadonlySet<string> = new Set([
  "cloudprofilename",
  "dashboard_path",
  "lang",
  "policy_id",
  "profile_id",
  "quota_profile_id",
  "name",
  "role_id",
]);

function pathOf(id: string, path: string): string {
  const parameterOf = (name: string) => String(values[otherValues[id]?.[name] ?? name]);
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameterOf(name)));
}

/** Another client of the same reseller, and a client of the same name elsewhere; both with every permission. */
const strangers = {
  "another client": { reseller: "northwind", client_id: "vets" },
  "a client of that name of another reseller": { reseller: "elsewhere", client_id: "bakery" },
};

describe.each(Object.entries(strangers))("to %s, what the demo's bakery has is not there", (_name, place) => {
  const foreign = rows.filter(({ id, operation: { params } }) => {
    const named = [...params, ...Object.values(bodies[id] ?? {}).flatMap(namesIn)];
    return id !== "notifications.markRead" && named.some((name) => !shared.has(name));
  });
  it.each(foreign.map((row) => [row.id, row] as const))("%s", async (id, { operation: { method, path } }) => {
    const caller = { ...operator, user: { id: "usr_stranger", username: "stranger" }, scope: place };
    const input = (id in bodies ? fill(bodies[id]) : {}) as Fields;
    const asked = gateway.portal.call({ method, path: pathOf(id, path), input, caller, region });
    await expect(asked).rejects.toMatchObject({ code: "not_found" });
  });
});

/** The names of the collected values in a body. */
function namesIn(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("@") ? [value.slice(1)] : [];
  return Array.isArray(value) ? value.flatMap(namesIn) : [];
}

describe("with the demo every operation answers as the state demands, and none is missing", () => {
  it.each(rows.map((row) => [row.id, row] as const))("%s", async (id, { operation }) => {
    const path = pathOf(id, operation.path);
    const body = id in bodies ? { body: fill(bodies[id]) } : {};
    const answer = await gateway.ask({ method: operation.method, path, ...body });
    const error = (answer.body as { error?: { code: string; message: string } } | undefined)?.error;
    const said = error === undefined ? "ok" : `${answer.status} ${error.code}: ${error.message}`;
    if (id in refused) expect(said).toContain(refused[id]);
    else expect(said, JSON.stringify(answer.body)).toBe("ok");
    if (error === undefined) expect(answer.status).toBe(operation.output ? 200 : 204);
  });

  it("and there are 132 of the specification beside our own", () => {
    expect(portalRows.filter(({ operation }) => !operation.isExtension)).toHaveLength(132);
  });
});
