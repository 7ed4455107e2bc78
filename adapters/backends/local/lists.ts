import type { ServiceName } from "../openstack/apis.ts";
import type { QuotaHolder } from "../openstack/quota-names.ts";
import type { Endpoint, WireAnswer, WireRequest } from "./endpoint.ts";
import type { Inventory, Thing } from "./inventory.ts";
import { serveQuotas } from "./quotas.ts";

/** Path of a list → the kind of thing in it, which is also the key of the answer. */
const kinds: Readonly<Record<string, string>> = {
  servers: "servers",
  "os-availability-zone": "availabilityZoneInfo",
  volumes: "volumes",
  snapshots: "snapshots",
  backups: "backups",
  types: "volume_types",
  floatingips: "floatingips",
  networks: "networks",
  subnets: "subnets",
  ports: "ports",
  routers: "routers",
  "security-groups": "security_groups",
  "security-group-rules": "security_group_rules",
  loadbalancers: "loadbalancers",
  listeners: "listeners",
  pools: "pools",
  healthmonitors: "healthmonitors",
  l7policies: "l7policies",
  images: "images",
  zones: "zones",
};

/** What is listed below one thing only: the list's name, its kind, and the field that says whose it is. */
const nested: Readonly<Record<string, { readonly kind: string; readonly parent: string }>> = {
  members: { kind: "members", parent: "pool_id" },
  rules: { kind: "l7rules", parent: "l7policy_id" },
};

/** A service that lists things of the inventory and keeps quotas. */
export function inventoryService(service: Exclude<ServiceName, "identity">): Endpoint {
  return async (request, ground) => {
    const [list = "", id, below] = request.path;
    if (/quota/.test(list)) return serveQuotas(service as QuotaHolder, request, ground);
    const kind = kinds[list];
    if (kind === undefined) return missing(list);
    if (below !== undefined && nested[below] !== undefined) return listBelow(ground.inventory, id ?? "", below);
    if (request.method === "DELETE") return remove(ground.inventory, kind, id ?? "");
    if (id === undefined || id === "detail") return listAll(ground.inventory, kind, request);
    const found = await ground.inventory.find(kind, id);
    if (found === undefined) return missing(id);
    return { status: 200, body: service === "image" ? found : { [kind.replace(/s$/, "")]: found } };
  };
}

function missing(what: string): WireAnswer {
  const message = `Could not find ${what}.`;
  return { status: 404, body: { itemNotFound: { code: 404, message }, message, faultstring: message } };
}

async function listAll(inventory: Inventory, kind: string, { query }: WireRequest): Promise<WireAnswer> {
  const things = await inventory.list(kind);
  const named = things.filter(({ name }) => query.name === undefined || name === query.name);
  return { status: 200, body: { [kind]: await Promise.all(named.map((thing) => withParts(inventory, kind, thing))) } };
}

/** Octavia's pools name their members, and its policies their rules. */
async function withParts(inventory: Inventory, kind: string, thing: Thing): Promise<Thing> {
  const part = { pools: "members", l7policies: "rules" }[kind];
  if (part === undefined) return thing;
  const ids = (await partsOf(inventory, String(thing.id), part)).map(({ id }) => ({ id }));
  return { ...thing, [part]: ids };
}

async function partsOf(inventory: Inventory, id: string, part: string): Promise<Thing[]> {
  const { kind = "", parent = "" } = nested[part] ?? {};
  return (await inventory.list(kind)).filter((thing) => thing[parent] === id);
}

async function listBelow(inventory: Inventory, id: string, part: string): Promise<WireAnswer> {
  return { status: 200, body: { [part]: await partsOf(inventory, id, part) } };
}

/** The rules of a security group go with it. */
async function remove(inventory: Inventory, kind: string, id: string): Promise<WireAnswer> {
  if (!(await inventory.remove(kind, id))) return missing(id);
  if (kind === "security_groups") {
    for (const rule of await inventory.list("security_group_rules")) {
      if (rule.security_group_id === id) await inventory.remove("security_group_rules", String(rule.id));
    }
  }
  return { status: 204 };
}
