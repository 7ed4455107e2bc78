import { createHash } from "node:crypto";
import { present } from "../../../../src/engine/policy/drafts.ts";
import { localPlace } from "../../../../src/portal/call/sealed-places.ts";
import {
  type CloudApi,
  newHexId,
  nowOf,
  requestOf,
  type ServiceAnswer,
  type ServiceContext,
  type ServiceRequest,
} from "../endpoint.ts";
import type { Resource } from "../inventory.ts";

/** Roles that the cloud knows; `tollgate` itself has no other use of them than to name them. */
const roles = ["admin", "member", "reader", "creator", "load-balancer_member"].map((name) => {
  return { id: createHash("md5").update(`role ${name}`).digest("hex"), name, domain_id: null };
});

/** Keystone's collections and the name of one entry. */
const collections: Readonly<Record<string, string>> = {
  domains: "domain",
  projects: "project",
  users: "user",
  credentials: "credential",
};

/** Domains, projects, users, roles and credentials, as Keystone serves them. */
export const identity: CloudApi = async (request, context) => {
  const [collection = "", id] = request.path;
  if (collection === "roles") return { status: 200, body: { roles } };
  const one = collections[collection];
  if (one === undefined) return missing(collection, "");
  if (request.path.length > 2) return serveGrants(request, context);
  if (id !== undefined) return serveOne(request, context, { collection, one, id });
  if (request.method === "POST") return create(request, context, { collection, one });
  const all = await context.inventory.list(collection);
  return {
    status: 200,
    body: { [collection]: all.filter((item) => matches(item, request.query)).map(open(context)) },
  };
};

function fault(status: number, message: string): ServiceAnswer {
  return { status, body: { error: { code: status, message, title: status === 409 ? "Conflict" : "Not Found" } } };
}

function missing(one: string, id: string): ServiceAnswer {
  return fault(404, `Could not find ${one}: ${id}.`);
}

/** Keystone filters by these and ignores every other field of a query, `project_id` of credentials among them. */
const filters = ["name", "domain_id", "type", "user_id"] as const;

function matches(item: Resource, query: ServiceRequest["query"]): boolean {
  return filters.every((field) => query[field] === undefined || item[field] === query[field]);
}

/** A credential's blob holds its secret key: it is kept sealed. One that cannot be opened any more is left out: the credential is there without. */
function open({ secrets, region }: ServiceContext): (item: Resource) => Resource {
  return ({ blob, ...rest }) => {
    if (typeof blob !== "string") return rest;
    return { ...rest, ...present({ blob: secrets.tryOpen(blob, blobPlace(region, String(rest.id))) }) };
  };
}

function blobPlace(region: string, id: string): string {
  return localPlace(`${region}/credentials/${id}`, "blob");
}

interface CollectionNames {
  readonly collection: string;
  readonly one: string;
}

async function serveOne(
  request: ServiceRequest,
  context: ServiceContext,
  { collection, one, id }: CollectionNames & { id: string },
) {
  const { inventory } = context;
  const item = await inventory.find(collection, id);
  if (item === undefined) return missing(one, id);
  if (request.method === "DELETE") {
    if (collection === "projects") await forgetProject(id, context);
    await inventory.remove(collection, id);
    return { status: 204 };
  }
  if (request.method !== "PATCH") return { status: 200, body: { [one]: open(context)(item) } };
  const changed = { ...item, ...requestOf(request.body, one) };
  await inventory.put(collection, id, changed);
  return { status: 200, body: { [one]: changed } };
}

/** Credentials and grants go with their project; nothing else does. */
async function forgetProject(id: string, { inventory }: ServiceContext): Promise<void> {
  for (const kind of ["credentials", "grants"]) {
    for (const item of await inventory.list(kind)) {
      if (item.project_id === id) await inventory.remove(kind, String(item.id));
    }
  }
}

async function create(
  request: ServiceRequest,
  context: ServiceContext,
  { collection, one }: CollectionNames,
): Promise<ServiceAnswer> {
  const { inventory } = context;
  const requested = requestOf(request.body, one);
  const all = await inventory.list(collection);
  const id = collection === "credentials" ? credentialId(requested) : newHexId(context);
  const isTaken = all.some((item) => item.id === id || isSameName(item, requested));
  if (isTaken) return fault(409, `Conflict occurred attempting to store ${one} - it cannot be made twice.`);
  const resource = { ...defaultsOf(collection), ...requested, id };
  const isSecret = typeof requested.blob === "string";
  await inventory.put(
    collection,
    id,
    isSecret
      ? { ...resource, blob: context.secrets.seal(String(requested.blob), blobPlace(context.region, id)) }
      : resource,
  );
  if (collection === "projects") await addDefaultGroup(id, context);
  return { status: 201, body: { [one]: resource } };
}

function isSameName(item: Resource, { name, domain_id }: Resource): boolean {
  return name !== undefined && item.name === name && item.domain_id === domain_id;
}

/** A credential's id is the SHA-256 of its access key: the same key is taken in the whole cloud. */
function credentialId({ blob }: Resource): string {
  const { access } = JSON.parse(String(blob)) as { access: string };
  return createHash("sha256").update(access).digest("hex");
}

function defaultsOf(collection: string): Resource {
  if (collection === "credentials") return {};
  return { enabled: true, options: {}, ...(collection === "domains" ? { description: "", tags: [] } : {}) };
}

/** The rules of a security group as Neutron makes it: everything may leave; the group `default` also lets its members in. */
function securityRules(
  group: { id: string; project_id: string; name: string },
  serviceContext: ServiceContext,
): Resource[] {
  const directions = group.name === "default" ? ["egress", "ingress"] : ["egress"];
  return directions.flatMap((direction) =>
    ["IPv4", "IPv6"].map((ethertype) => {
      const context = { project_id: group.project_id, security_group_id: group.id };
      const id = createHash("md5").update(`${group.id} ${direction} ${ethertype}`).digest("hex");
      return { id, ...context, direction, ethertype, protocol: null, created_at: nowOf(serviceContext) };
    }),
  );
}

/** Neutron makes a project's own security group at its first call. */
async function addDefaultGroup(project_id: string, context: ServiceContext): Promise<void> {
  const group = { id: newHexId(context), project_id, name: "default", description: "Default security group" };
  await context.inventory.put("security_groups", group.id, { ...group, created_at: nowOf(context) });
  for (const rule of securityRules(group, context)) {
    await context.inventory.put("security_group_rules", String(rule.id), rule);
  }
}

async function serveGrants({ method, path }: ServiceRequest, { inventory }: ServiceContext): Promise<ServiceAnswer> {
  const [, project_id = "", , user_id = "", , role_id] = path;
  const held = (await inventory.list("grants")).filter(
    (grant) => grant.project_id === project_id && grant.user_id === user_id,
  );
  if (role_id === undefined) {
    return { status: 200, body: { roles: roles.filter(({ id }) => held.some((grant) => grant.role_id === id)) } };
  }
  const id = `${project_id}.${user_id}.${role_id}`;
  if (method === "DELETE") return (await inventory.remove("grants", id)) ? { status: 204 } : missing("role", role_id);
  await inventory.put("grants", id, { id, project_id, user_id, role_id });
  return { status: 204 };
}
