import { createHash } from "node:crypto";
import { present } from "../../../src/policy/record.ts";
import { type Endpoint, type Ground, newHexId, nowOf, type WireAnswer, type WireRequest, wishOf } from "./endpoint.ts";
import type { Thing } from "./inventory.ts";

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
export const identity: Endpoint = async (request, ground) => {
  const [collection = "", id] = request.path;
  if (collection === "roles") return { status: 200, body: { roles } };
  const one = collections[collection];
  if (one === undefined) return missing(collection, "");
  if (request.path.length > 2) return serveGrants(request, ground);
  if (id !== undefined) return serveOne(request, ground, { collection, one, id });
  if (request.method === "POST") return create(request, ground, { collection, one });
  const all = await ground.inventory.list(collection);
  return {
    status: 200,
    body: { [collection]: all.filter((thing) => matches(thing, request.query)).map(open(ground)) },
  };
};

function fault(status: number, message: string): WireAnswer {
  return { status, body: { error: { code: status, message, title: status === 409 ? "Conflict" : "Not Found" } } };
}

function missing(one: string, id: string): WireAnswer {
  return fault(404, `Could not find ${one}: ${id}.`);
}

/** Keystone filters by these and ignores every other field of a query, `project_id` of credentials among them. */
const filters = ["name", "domain_id", "type", "user_id"] as const;

function matches(thing: Thing, query: WireRequest["query"]): boolean {
  return filters.every((field) => query[field] === undefined || thing[field] === query[field]);
}

/** A credential's blob holds its secret key: it is kept sealed. One that cannot be opened any more is left out: the credential is there without. */
function open({ secrets }: Ground): (thing: Thing) => Thing {
  return ({ blob, ...rest }) =>
    typeof blob === "string" ? { ...rest, ...present({ blob: secrets.tryOpen(blob) }) } : rest;
}

interface Place {
  readonly collection: string;
  readonly one: string;
}

async function serveOne(request: WireRequest, ground: Ground, { collection, one, id }: Place & { id: string }) {
  const { inventory } = ground;
  const thing = await inventory.find(collection, id);
  if (thing === undefined) return missing(one, id);
  if (request.method === "DELETE") {
    if (collection === "projects") await forgetProject(id, ground);
    await inventory.remove(collection, id);
    return { status: 204 };
  }
  if (request.method !== "PATCH") return { status: 200, body: { [one]: open(ground)(thing) } };
  const changed = { ...thing, ...wishOf(request.body, one) };
  await inventory.put(collection, id, changed);
  return { status: 200, body: { [one]: changed } };
}

/** Credentials and grants go with their project; nothing else does. */
async function forgetProject(id: string, { inventory }: Ground): Promise<void> {
  for (const kind of ["credentials", "grants"]) {
    for (const thing of await inventory.list(kind)) {
      if (thing.project_id === id) await inventory.remove(kind, String(thing.id));
    }
  }
}

async function create(request: WireRequest, ground: Ground, { collection, one }: Place): Promise<WireAnswer> {
  const { inventory } = ground;
  const wish = wishOf(request.body, one);
  const all = await inventory.list(collection);
  const id = collection === "credentials" ? credentialId(wish) : newHexId(ground);
  const isTaken = all.some((thing) => thing.id === id || isSameName(thing, wish));
  if (isTaken) return fault(409, `Conflict occurred attempting to store ${one} - it cannot be made twice.`);
  const thing = { ...defaultsOf(collection), ...wish, id };
  const isSecret = typeof wish.blob === "string";
  await inventory.put(collection, id, isSecret ? { ...thing, blob: ground.secrets.seal(String(wish.blob)) } : thing);
  if (collection === "projects") await addDefaultGroup(id, ground);
  return { status: 201, body: { [one]: thing } };
}

function isSameName(thing: Thing, { name, domain_id }: Thing): boolean {
  return name !== undefined && thing.name === name && thing.domain_id === domain_id;
}

/** A credential's id is the SHA-256 of its access key: the same key is taken in the whole cloud. */
function credentialId({ blob }: Thing): string {
  const { access } = JSON.parse(String(blob)) as { access: string };
  return createHash("sha256").update(access).digest("hex");
}

function defaultsOf(collection: string): Thing {
  if (collection === "credentials") return {};
  return { enabled: true, options: {}, ...(collection === "domains" ? { description: "", tags: [] } : {}) };
}

/** The rules of a security group as Neutron makes it: everything may leave; the group `default` also lets its members in. */
function securityRules(group: { id: string; project_id: string; name: string }, ground: Ground): Thing[] {
  const directions = group.name === "default" ? ["egress", "ingress"] : ["egress"];
  return directions.flatMap((direction) =>
    ["IPv4", "IPv6"].map((ethertype) => {
      const place = { project_id: group.project_id, security_group_id: group.id };
      const id = createHash("md5").update(`${group.id} ${direction} ${ethertype}`).digest("hex");
      return { id, ...place, direction, ethertype, protocol: null, created_at: nowOf(ground) };
    }),
  );
}

/** Neutron makes a project's own security group at its first call. */
async function addDefaultGroup(project_id: string, ground: Ground): Promise<void> {
  const group = { id: newHexId(ground), project_id, name: "default", description: "Default security group" };
  await ground.inventory.put("security_groups", group.id, { ...group, created_at: nowOf(ground) });
  for (const rule of securityRules(group, ground)) {
    await ground.inventory.put("security_group_rules", String(rule.id), rule);
  }
}

async function serveGrants({ method, path }: WireRequest, { inventory }: Ground): Promise<WireAnswer> {
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
