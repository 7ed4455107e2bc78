import type { ServiceName } from "../../openstack/client/apis.ts";
import type { QuotaHolder } from "../../openstack/quotas/quota-names.ts";
import type { CloudApi, ServiceAnswer, ServiceRequest } from "../endpoint.ts";
import type { Inventory, Resource } from "../inventory.ts";
import { serveBalancers } from "./balancers.ts";
import { serveMachines } from "./machines.ts";
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
  flavors: "flavors",
  zones: "zones",
};

/** What is listed below one thing only: the list's name, its kind, the field that says whose it is, and the key where it is not the name. */
const nested: Readonly<Record<string, { readonly kind: string; readonly parent: string; readonly key?: string }>> = {
  members: { kind: "members", parent: "pool_id" },
  rules: { kind: "l7rules", parent: "l7policy_id" },
  "os-volume-type-access": { kind: "volume_type_access", parent: "volume_type_id", key: "volume_type_access" },
};

/** A service that lists things of the inventory and keeps quotas. */
export function inventoryService(service: Exclude<ServiceName, "identity">): CloudApi {
  return async (request, context) => {
    const [list = "", id, below] = request.path;
    const made = (await serveMachines(request, context)) ?? (await serveBalancers(request, context));
    if (made !== undefined) return made;
    if (/quota/.test(list)) return serveQuotas(service as QuotaHolder, request, context);
    const kind = kinds[list];
    if (kind === undefined) return missing(list);
    if (below === "remove_router_interface") return removePort(context.inventory, request);
    if (below !== undefined && nested[below] !== undefined) return listBelow(context.inventory, id ?? "", below);
    if (request.method === "DELETE") return remove(context.inventory, kind, id ?? "");
    if (id === undefined || id === "detail") return listAll(context.inventory, kind, request);
    const found = await context.inventory.find(kind, id);
    if (found === undefined) return missing(id);
    return { status: 200, body: service === "image" ? found : { [kind.replace(/s$/, "")]: found } };
  };
}

function missing(what: string): ServiceAnswer {
  const message = `Could not find ${what}.`;
  return { status: 404, body: { itemNotFound: { code: 404, message }, message, faultstring: message } };
}

async function listAll(inventory: Inventory, kind: string, { query }: ServiceRequest): Promise<ServiceAnswer> {
  const items = await inventory.list(kind);
  const named = items.filter(({ name }) => query.name === undefined || name === query.name);
  return { status: 200, body: { [kind]: await Promise.all(named.map((item) => withParts(inventory, kind, item))) } };
}

/** Octavia's pools name their members, and its policies their rules. */
async function withParts(inventory: Inventory, kind: string, item: Resource): Promise<Resource> {
  const part = { pools: "members", l7policies: "rules" }[kind];
  if (part === undefined) return item;
  const ids = (await partsOf(inventory, String(item.id), part)).map(({ id }) => ({ id }));
  return { ...item, [part]: ids };
}

async function partsOf(inventory: Inventory, id: string, part: string): Promise<Resource[]> {
  const { kind = "", parent = "" } = nested[part] ?? {};
  return (await inventory.list(kind)).filter((item) => item[parent] === id);
}

async function listBelow(inventory: Inventory, id: string, part: string): Promise<ServiceAnswer> {
  return { status: 200, body: { [nested[part]?.key ?? part]: await partsOf(inventory, id, part) } };
}

/** The port with which a router is in a network goes with that. */
async function removePort(
  inventory: Inventory,
  { body, path: [, router = ""] }: ServiceRequest,
): Promise<ServiceAnswer> {
  const port = String(Object(body).port_id);
  return (await inventory.remove("ports", port)) ? { status: 200, body: { id: router, port_id: port } } : missing(port);
}

/** The rules of a security group go with it. */
async function remove(inventory: Inventory, kind: string, id: string): Promise<ServiceAnswer> {
  if (!(await inventory.remove(kind, id))) return missing(id);
  if (kind === "security_groups") {
    for (const rule of await inventory.list("security_group_rules")) {
      if (rule.security_group_id === id) await inventory.remove("security_group_rules", String(rule.id));
    }
  }
  return { status: 204 };
}
