import { memoryCache } from "../../../adapters/caches/memory.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { type Demo, fillDemo } from "../../../src/cli/demo/fill.ts";
import type { AnswerCache } from "../../../src/engine/ports/answers.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { portalRows } from "../../../src/operations/portal/table.ts";
import { operator } from "../../../src/portal/call/operator.ts";
import { openLocal } from "../../clouds/support/local.ts";
import { fakeToolServer } from "../../fixtures/mcp/calling-model.ts";
import { bodies, endpoint, type Fields } from "./demo-bodies.ts";
import { type Gateway, openGateway } from "./gateway.ts";
import { noon } from "./rig.ts";

export const region = "eu-1";

/** The one tool server that the rows name. */
export const demoTools = { servers: { files: fakeToolServer({ read_text_file: () => "hello" }).server } };

/** A gateway with what `tollgate demo` makes, and calls of every operation upon the things of its bakery. */
export interface DemoWorld {
  readonly store: Store;
  readonly gateway: Gateway;
  /** The folder of the embedded cloud. */
  readonly folder: string;
  readonly demo: Demo;
  /** A cache with the one answer that the rows name. */
  openCache(): Promise<AnswerCache>;
  /** The path of a row, its parameters filled in. */
  pathOf(id: string, path: string): string;
  /** The body of a row; an empty one where it needs none. */
  bodyOf(id: string): Fields;
}

export async function openDemo(): Promise<DemoWorld> {
  const store = memoryStore();
  const cloud = await openLocal({ records: store.records, endpoint });
  const answers = memoryCache();
  const gateway = await openGateway(store, { [region]: cloud }, { cache: { answers }, mcp: demoTools });
  const demo = await fillDemo({ portal: gateway.portal, store, region, cloud, tier: "standard", now: noon });
  const values = await collectValues(demo, gateway);
  const fillCache = async (cache: AnswerCache) => {
    await cache.put(String(values.cache_scope), String(values.answer_id), storedAnswer);
    return cache;
  };
  await fillCache(answers);
  const fill = (body: unknown) =>
    JSON.parse(JSON.stringify(body), (_, value) =>
      typeof value === "string" && value.startsWith("@") ? values[value.slice(1)] : value,
    ) as Fields;
  return {
    ...{ store, gateway, folder: cloud.folder, demo, openCache: () => fillCache(memoryCache()) },
    pathOf(id, path) {
      const parameterOf = (name: string) => String(values[otherValues[id]?.[name] ?? name]);
      return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameterOf(name)));
    },
    bodyOf: (id) => (id in bodies ? fill(bodies[id]) : {}),
  };
}

const times = { storedAt: noon, expiresAt: noon + 86_400_000 };
const storedAnswer = { body: "{}", provider: "local", deployment: "m", cost: 1, warnings: [], ...times };

/** A value for every parameter and every field, from what the demo has made. */
async function collectValues({ projects, tenants }: Demo, { portal, token }: Gateway): Promise<Fields> {
  const shop = projects.bakery;
  const calls = portal.as(operator, { region });
  const user_id = tenants.find(({ username }) => username === "ben")?.user_id ?? "";
  const project_id = shop?.project_id ?? "";
  const profiles = await calls.profiles.list({});
  const role = await calls.users.createRole({ name: "Reader", permissions: ["ai-get"] });
  const key_id = (await calls.ai.keys({})).find(({ name }) => name === "bakery website")?.id ?? "";
  const notices = (await tenants.find(({ username }) => username === "ben")?.calls.notifications.list({})) ?? [];
  const backups = await calls.backups.list({});
  await portal.sessions.login({ token }, { eventId: "evt_login" });
  const admin = portal.as(await portal.authenticate(token), { region });
  const spare = await calls.iaas.createProject({ name: "spare", quota_profile: "default" });
  const image = { flavor: "m1.small", image: "debian-13" };
  const vendor = await calls.ai.addCredential({ provider: "one", name: "first", value: "sk-of-the-tests" });
  const twin = await calls.iaas.createServer({ project_id, name: "twin", ...image });
  const { alerts } = portal.as({ ...operator, scope: { reseller: "northwind", client_id: "bakery" } }, { region });
  const hook = { kind: "webhook", url: "https://hooks.example.com/alerts" } as const;
  const alert_channel_id = (await alerts.createChannel({ name: "hook", ...hook })).id;
  const alert_rule_id = (await alerts.createRule({ name: "backups", kind: "backup_failed" })).id;
  const { networks } = await calls.iaas.networks({});
  const { loadbalancers } = await calls.iaas.loadBalancers({});
  return {
    ...{ alert_channel_id, alert_rule_id, network_id: idIn(networks, project_id) },
    loadbalancer_id: idIn(loadbalancers, project_id),
    ...{ user_id, project_id, spare_id: spare.project.id, role_id: role.id, twin_id: twin.id, vendor_id: vendor.id },
    ...{ key_id, cache_scope: `key:${key_id}`, answer_id: "answer" },
    customer_id: (await tenants.find(({ username }) => username === "ben")?.calls.ai.customers({}))?.[0]?.id,
    tenant_id: (await calls.tenants.list({})).find((one) => one.client_id === "bakery")?.id,
    ai_project_id: (await calls.ai.projects({})).find(({ name }) => name === "bakery assistant")?.id,
    event_id: (await calls.ai.requests({ key_id: [key_id] }))[0]?.event_id,
    profile_id: profiles.find(({ type }) => type === "permission")?.id,
    quota_profile_id: profiles.find(({ type }) => type === "quota")?.id,
    task_id: (await calls.tasks.list({})).find((task) => task.user_id === user_id)?.id,
    id: notices[0]?.id,
    backup_id: backups.find((one) => one.state === "available" && one.resource_id === shop?.volume_id)?.id,
    credential_id: (await calls.iaas.credentials({ project_id }))[0]?.id,
    own_token_id: (await admin.me.createToken({ name: "spare" })).id,
    session_id: (await admin.me.sessions({}))[0]?.id,
    token_id: (await calls.users.tokens({ user_id }))[0]?.id,
    ...{
      resource_id: shop?.volume_id,
      volume_id: shop?.volume_id,
      vm_id: shop?.server_id,
      server_id: shop?.server_id,
      bucket: shop?.bucket,
    },
    ...{ namespace: shop?.namespace, project_name: shop?.namespace.replace("garden-", "") },
    ...{ secret_binding_name: "cloud", secret_name: "cloud", shoot_name: "shop", worker_group_name: "default" },
    ...{ cloudprofilename: "local", dashboard_path: "iaas-projects", lang: "de", policy_id: "daily" },
  };
}

/** The id of what lies in a project. */
function idIn(things: readonly unknown[], projectId: string): string | undefined {
  return (things as { readonly id: string; readonly project_id?: string }[]).find((one) => one.project_id === projectId)
    ?.id;
}

/** Parameters that stand for something else in one row than their name says. */
const otherValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "ai.changeCredential": { credential_id: "vendor_id" },
  "ai.removeCredential": { credential_id: "vendor_id" },
  "ai.testCredential": { credential_id: "vendor_id" },
  "me.revokeToken": { token_id: "own_token_id" },
  "quotas.applyProfile": { profile_id: "quota_profile_id" },
  "profiles.dashboards": { name: "profile_id" },
  "profiles.permissions": { name: "profile_id" },
  "profiles.profiles": { name: "profile_id" },
};

const order = ["GET", "POST", "PATCH", "DELETE"];
/** Readers first; what is deleted last goes the other way round, parts before what they are parts of. */
export const rows = portalRows
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

/** The rows whose calls name something of the bakery, in their path or their body. */
export const rowsOfBakery = rows.filter(({ id, operation: { params } }) => {
  const named = [...params, ...Object.values(bodies[id] ?? {}).flatMap(namesIn)];
  return id !== "notifications.markRead" && named.some((name) => !shared.has(name));
});

/** The names of the collected values in a body. */
function namesIn(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("@") ? [value.slice(1)] : [];
  return Array.isArray(value) ? value.flatMap(namesIn) : [];
}
