import { z } from "zod";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { WireAnswer } from "../../../../src/engine/ports/transport.ts";
import { createBoundedCache } from "../../../../src/engine/runtime/bounded-cache.ts";
import { parseJson } from "../../../shared/http/fault.ts";
import { type OperationDeadline, runWithDeadline, untilEnded } from "../../shared/deadline.ts";
import { refusalError, unreadableError } from "./faults.ts";
import { type CloudCredentials, defaultAdminRoles, type OpenStackOptions, type Scope } from "./options.ts";
import type { Sender } from "./sender.ts";

const Endpoint = z.object({
  interface: z.string(),
  region_id: z.string().nullish(),
  region: z.string().nullish(),
  url: z.string(),
});

const TokenAnswer = z.object({
  token: z.object({
    issued_at: z.iso.datetime({ offset: true }),
    expires_at: z.iso.datetime({ offset: true }),
    user: z.object({ id: z.string(), domain: z.object({ id: z.string() }) }),
    project: z.object({ id: z.string(), domain: z.object({ id: z.string() }) }).optional(),
    roles: z.array(z.object({ name: z.string() })).default([]),
    catalog: z.array(z.object({ type: z.string(), endpoints: z.array(Endpoint) })).default([]),
  }),
});

/** One token and what came with it. */
export interface CloudSession {
  readonly token: string;
  /** The token's own project, where it is scoped to one. */
  readonly project: { readonly id: string; readonly domainId: string } | undefined;
  readonly user: { readonly id: string; readonly domainId: string };
  /** Whether one of its roles lets it see and change what belongs to other projects. */
  readonly isAdmin: boolean;
  readonly catalog: readonly { readonly type: string; readonly endpoints: readonly z.infer<typeof Endpoint>[] }[];
  /** Milliseconds since the epoch of our own clock from which on the token is not used any more. */
  readonly renewAt: number;
}

/** The tokens of a cloud: one per scope, made when first needed and renewed before they expire. */
export interface Sessions {
  /** The session of a scope, or nothing when Keystone refuses it: no role there, or the project is disabled. */
  find(scope: Scope | undefined, deadline: OperationDeadline): Promise<CloudSession | undefined>;
  /** The session of our own scope; a refusal is our own fault. */
  own(deadline: OperationDeadline): Promise<CloudSession>;
  /** Whether Keystone knows the session's token, with its project, user and domain enabled. */
  isGood(session: CloudSession, deadline: OperationDeadline): Promise<boolean>;
  /** A service has refused its token: the next request of its scope authenticates anew. */
  forget(session: CloudSession): void;
}

/** Share of a token's life, at most five minutes, that is left when it is renewed. */
const reserve = { share: 0.1, most: 300_000 };

/** What helps where the credentials are no function: nothing can be read again, since a process keeps its environment. */
const readOnce =
  "check both. `password` and `applicationCredentialSecret` are read at the start, from `env:` as well: " +
  "after a rotation restart the gateway, or set `passwordFile`, which is read again";

/** Projects whose tokens are remembered at a time. */
const mostSessions = 500;

export function openSessions(options: OpenStackOptions, sender: Sender): Sessions {
  const refused = new WeakSet<CloudSession>();
  const stored = createBoundedCache<Promise<CloudSession | undefined>>(mostSessions);

  /** Not on the caller's signal: others wait for the same token. */
  function authenticate(scope: Scope | undefined): Promise<CloudSession | undefined> {
    return runWithDeadline(sender.settings, async (deadline) => {
      const { credentials: source } = options;
      const credentials = typeof source === "function" ? await source() : source;
      const secret = "password" in credentials ? credentials.password : credentials.applicationCredentialSecret;
      const url = `${sender.authUrl}/auth/tokens`;
      const request = { service: "identity", method: "POST", url, body: bodyOf(credentials, scope), secret } as const;
      const answer = await sender.send(request, deadline);
      return answer.status === 401
        ? undefined
        : readSession(answer, deadline.now(), options.adminRoles ?? defaultAdminRoles);
    });
  }

  async function find(scope: Scope | undefined, deadline: OperationDeadline): Promise<CloudSession | undefined> {
    const key = JSON.stringify(scope ?? null);
    const known = stored.get(key);
    if (known !== undefined) {
      const session = await untilEnded(known, deadline.signal);
      if (session !== undefined && session.renewAt > deadline.now() && !refused.has(session)) return session;
      if (stored.get(key) === known) stored.delete(key);
    }
    const created = stored.get(key) ?? authenticate(scope);
    stored.set(key, created);
    const drop = () => {
      if (stored.get(key) === created) stored.delete(key);
    };
    created.then((session) => session ?? drop(), drop);
    return untilEnded(created, deadline.signal);
  }

  const remedy = typeof options.credentials === "function" ? "check both" : readOnce;
  return {
    find,
    async own(deadline) {
      const session = await find(options.scope, deadline);
      if (session !== undefined) return session;
      throw new GatewayError("backend_error", `Keystone refused our own credentials or their scope (401): ${remedy}.`);
    },
    async isGood({ token }, deadline) {
      const headers = { "x-auth-token": token, "x-subject-token": token };
      const url = `${sender.authUrl}/auth/tokens`;
      const answer = await sender.send({ service: "identity", method: "GET", url, headers }, deadline);
      if (answer.status >= 500) throw refusalError({ service: "identity", answer, isSecret: true });
      return answer.status === 200;
    },
    forget: (session) => void refused.add(session),
  };
}

function readSession(answer: WireAnswer, now: number, adminRoles: readonly string[]): CloudSession {
  if (answer.status !== 201) throw refusalError({ service: "identity", answer, isSecret: true });
  const token = answer.headers["x-subject-token"];
  const read = TokenAnswer.safeParse(parseJson(answer.body));
  if (!token || !read.success) throw unreadableError("identity", answer, token ? "no token's description" : "no token");
  const { issued_at, expires_at, user, project, roles, catalog } = read.data.token;
  const life = Date.parse(expires_at) - Date.parse(issued_at);
  return {
    token,
    user: { id: user.id, domainId: user.domain.id },
    project: project && { id: project.id, domainId: project.domain.id },
    isAdmin: roles.some(({ name }) => adminRoles.includes(name)),
    catalog,
    renewAt: now + life - Math.min(life * reserve.share, reserve.most),
  };
}

function bodyOf(credentials: CloudCredentials, scope: Scope | undefined): unknown {
  if ("applicationCredentialId" in credentials) {
    const { applicationCredentialId: id, applicationCredentialSecret: secret } = credentials;
    return { auth: { identity: { methods: ["application_credential"], application_credential: { id, secret } } } };
  }
  const { username: name, password, userDomainId = "default" } = credentials;
  const user = { name, password, domain: { id: userDomainId } };
  const identity = { methods: ["password"], password: { user } };
  return { auth: scope === undefined ? { identity } : { identity, scope: scopeOf(scope) } };
}

function scopeOf(scope: Scope): unknown {
  if ("projectId" in scope) return { project: { id: scope.projectId } };
  if ("domainId" in scope) return { domain: { id: scope.domainId } };
  if ("system" in scope) return { system: { all: true } };
  return { project: { name: scope.projectName, domain: { id: scope.projectDomainId ?? "default" } } };
}
