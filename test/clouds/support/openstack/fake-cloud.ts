import { createHash } from "node:crypto";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Transport, WireAnswer, WireRequest } from "../../../../src/engine/ports/transport.ts";

type Thing = Record<string, unknown>;

/** What becomes of one request: carried out and answered, refused, carried out with its answer lost, never arrived, left by its caller, or not answered and carried out long after. */
export type Fate = "pass" | "break" | "lose" | "drop" | "leave" | "late";

/** A small OpenStack in memory, with the habits of the real one that matter when things go wrong between its services. */
export interface FakeCloud {
  readonly transport: Transport;
  /** Requests that arrived, without those for tokens: `PUT compute /os-quota-sets/p1`. */
  readonly asked: string[];
  readonly projects: Map<string, Thing>;
  readonly users: Map<string, Thing>;
  readonly credentials: Map<string, Thing>;
  /** `project/user/role`. */
  readonly grants: Set<string>;
  /** `service/project` → what was set there. */
  readonly quotas: Map<string, Record<string, number>>;
  readonly volumes: Thing[];
  /** Tokens that were given. */
  tokens: number;
  /** Whether Keystone still knows them: not when our own project was disabled. */
  isTokenGood: boolean;
  /** False once nothing goes wrong any more. */
  isBroken: boolean;
  /** Carries out what is late. */
  catchUp(): void;
}

/** What may go wrong, and what happens meanwhile. */
export interface FakeOptions {
  /** Called for every request but those for tokens, with its place in the order; `pass` unless given. */
  readonly fate?: (place: number, line: string) => Fate;
  /** Services that the catalogue lists; all unless given. */
  readonly services?: readonly string[];
  /** Answers in place of the cloud; nothing where it has no answer. */
  readonly serveFirst?: (asked: Asked) => WireAnswer | undefined;
}

const roles = ["admin", "member", "reader"].map((name) => ({ id: `role-${name}`, name, domain_id: null }));
const defaults: Record<string, number> = { cores: 20, volumes: 10, network: 100, load_balancer: -1, zones: 10 };
const hosts = ["compute", "block-storage", "network", "load-balancer", "dns", "image"];

/** An answer of a service. */
export function json(status: number, body?: unknown): WireAnswer {
  const headers = { "content-type": "application/json", "x-openstack-request-id": "req-1" };
  return { status, headers, body: body === undefined ? "" : JSON.stringify(body) };
}

function catalogOf(services: readonly string[]): unknown {
  return services.map((type) => {
    const path = { compute: "/v2.1", "block-storage": "/v3/p-own" }[type] ?? "";
    return { type, endpoints: [{ interface: "public", region_id: "R1", url: `http://${type}.test${path}` }] };
  });
}

const tokenOf = (services: readonly string[], project: string) => ({
  token: {
    issued_at: "2026-01-01T00:00:00.000000Z",
    expires_at: "2026-01-01T01:00:00.000000Z",
    user: { id: "u-own", domain: { id: "default" } },
    project: { id: project, domain: { id: "default" } },
    roles: [{ name: "admin" }],
    catalog: catalogOf(services),
  },
});

/** Opens one; nothing is in it but our own project and user. */
export function fakeCloud({ fate = () => "pass", services = hosts, serveFirst }: FakeOptions = {}): FakeCloud {
  const late: (() => void)[] = [];
  const cloud: FakeCloud = {
    transport: { whole, stream: () => Promise.reject(new Error("no streams")), close: async () => {} },
    asked: [],
    projects: new Map(),
    users: new Map(),
    credentials: new Map(),
    grants: new Set(),
    quotas: new Map(),
    volumes: [],
    tokens: 0,
    isTokenGood: true,
    isBroken: true,
    catchUp: () => {
      for (const work of late.splice(0)) work();
    },
  };

  async function whole(request: WireRequest): Promise<WireAnswer> {
    const { host, pathname, searchParams } = new URL(request.url);
    const body = request.body === undefined ? {} : (JSON.parse(String(request.body)) as Thing);
    if (pathname === "/v3/auth/tokens" && request.method === "GET") return json(cloud.isTokenGood ? 200 : 404, {});
    if (pathname === "/v3/auth/tokens") {
      cloud.tokens += 1;
      const wanted = (body.auth as { scope?: { project?: { id?: string } } }).scope?.project?.id ?? "p-own";
      const answer = json(201, tokenOf(services, wanted));
      return { ...answer, headers: { ...answer.headers, "x-subject-token": `token-${cloud.tokens}` } };
    }
    const service = host.replace(".test", "");
    const path = pathname.replace(/^\/v[0-9.]+(\/lbaas)?(\/p-own)?/, "");
    const line = `${request.method} ${service} ${path}`;
    const next = cloud.isBroken ? fate(cloud.asked.length, line) : "pass";
    cloud.asked.push(line);
    if (next === "drop") throw new GatewayError("upstream_unreachable", `Cannot reach ${host}: ECONNREFUSED.`);
    if (next === "break") return json(500, { error: { message: "The server is at fault." } });
    const parts = path.split("/").slice(1);
    const asked = { method: request.method, service, parts, query: searchParams, body };
    const carryOut = () => serveFirst?.(asked) ?? serve(cloud, asked);
    if (next === "late") late.push(carryOut);
    if (next === "late") throw new GatewayError("upstream_timeout", `${host} sent nothing within 30000 ms.`);
    const answer = carryOut();
    if (next === "leave") throw new GatewayError("request_cancelled", "The call was cancelled.");
    if (next === "lose") throw new GatewayError("upstream_timeout", `${host} sent nothing within 30000 ms.`);
    return answer;
  }
  return cloud;
}

/** A request as the services see it. */
export interface Asked {
  readonly method: string;
  readonly service: string;
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Thing;
}

function serve(cloud: FakeCloud, asked: Asked): WireAnswer {
  if (/quota/.test(asked.parts[0] ?? "")) return serveQuota(cloud, asked);
  return asked.service === "identity" ? serveIdentity(cloud, asked) : serveInventory(cloud, asked);
}

/** A quota of a project that is not there is stored, as most services do. */
function serveQuota({ quotas }: FakeCloud, { method, service, parts, body }: Asked): WireAnswer {
  const place = `${service}/${parts[1]}`;
  if (method === "DELETE") return json(quotas.delete(place) ? 204 : 404);
  const key = { compute: "quota_set", "block-storage": "quota_set", network: "quota", "load-balancer": "quota" }[
    service
  ];
  const set = (key === undefined ? body : body[key]) as Record<string, number> | undefined;
  if (method !== "GET") quotas.set(place, { ...quotas.get(place), ...set });
  const all = { ...defaults, ...quotas.get(place) };
  return json(200, key === undefined ? all : { [key]: all });
}

function serveInventory({ volumes }: FakeCloud, { method, service, parts }: Asked): WireAnswer {
  if (method === "DELETE") return json(204);
  const key = (parts.at(-1) === "detail" ? parts[0] : parts.at(-1))?.replaceAll("-", "_") ?? "";
  return json(200, { [key]: service === "block-storage" && key === "volumes" ? volumes : [] });
}

function serveIdentity(cloud: FakeCloud, asked: Asked): WireAnswer {
  const [kind = "", id] = asked.parts;
  if (asked.parts.length > 2) return serveGrants(cloud, asked);
  if (kind === "roles") return json(200, { roles });
  if (kind === "domains") return json(200, { domains: [{ id: "default", name: "Default", enabled: true }] });
  const things = { projects: cloud.projects, users: cloud.users, credentials: cloud.credentials }[kind] ?? new Map();
  const one = kind.slice(0, -1);
  if (id === undefined)
    return asked.method === "POST" ? create(things, { one, asked }) : json(200, { [kind]: [...filter(things, asked)] });
  const thing = things.get(id);
  if (thing === undefined) return json(404, { error: { message: `Could not find ${one}: ${id}.` } });
  if (asked.method === "DELETE") things.delete(id);
  if (asked.method === "DELETE" && kind === "projects") forgetProject(cloud, id);
  if (asked.method === "PATCH") Object.assign(thing, asked.body[one]);
  return asked.method === "DELETE" ? json(204) : json(200, { [one]: thing });
}

/** Credentials and grants go with their project; users stay. */
function forgetProject({ credentials, grants }: FakeCloud, project: string): void {
  for (const [id, { project_id }] of credentials) if (project_id === project) credentials.delete(id);
  for (const grant of grants) if (grant.startsWith(`${project}/`)) grants.delete(grant);
}

function filter(things: Map<string, Thing>, { query }: Asked): Thing[] {
  const name = query.get("name");
  return [...things.values()].filter((thing) => name === null || thing.name === name);
}

function create(things: Map<string, Thing>, { one, asked }: { one: string; asked: Asked }): WireAnswer {
  const wish = asked.body[one] as Thing;
  const access = one === "credential" ? (JSON.parse(String(wish.blob)) as Thing).access : undefined;
  const id =
    access === undefined ? `${one}-${things.size + 1}` : createHash("sha256").update(String(access)).digest("hex");
  const isTaken =
    things.has(id) || (wish.name !== undefined && [...things.values()].some(({ name }) => name === wish.name));
  if (isTaken) return json(409, { error: { message: "Conflict occurred attempting to store it." } });
  const thing = { id, enabled: true, ...wish };
  things.set(id, thing);
  return json(201, { [one]: thing });
}

function serveGrants({ grants }: FakeCloud, { method, parts }: Asked): WireAnswer {
  const [, project, , user, , role] = parts;
  if (role === undefined) {
    const held = [...grants].filter((grant) => grant.startsWith(`${project}/${user}/`));
    return json(200, { roles: held.map((grant) => ({ id: grant.split("/")[2] })) });
  }
  if (method === "DELETE") return json(grants.delete(`${project}/${user}/${role}`) ? 204 : 404);
  grants.add(`${project}/${user}/${role}`);
  return json(204);
}
