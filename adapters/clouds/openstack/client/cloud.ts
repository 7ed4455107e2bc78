import { GatewayError, isGatewayError } from "../../../../src/engine/errors.ts";
import type { WireAnswer, WireRequest } from "../../../../src/engine/ports/transport.ts";
import { isRecord, parseJson } from "../../../shared/http/fault.ts";
import type { OperationDeadline } from "../../shared/deadline.ts";
import { addressOf, encodeSegment, microversionOf, missingError } from "./addresses.ts";
import { rowOf, type ServiceName } from "./apis.ts";
import { refusalError, unreadableError } from "./faults.ts";
import type { OpenStackOptions, Scope } from "./options.ts";
import { nextQuery } from "./paging.ts";
import type { Sender } from "./sender.ts";
import type { CloudSession, Sessions } from "./sessions.ts";

/** A JSON object as a service sent it. */
export type Wire = Record<string, unknown>;

/** A call of a service by its own paths. */
export interface CloudRequest {
  readonly service: ServiceName;
  readonly method?: WireRequest["method"] | undefined;
  /** The path's segments behind the service's address, not yet encoded; ids of callers may stand here. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  /** The body holds a secret, which the service might quote when it refuses it. */
  readonly isSecret?: boolean | undefined;
  /** The scope of the token in place of our own. */
  readonly scope?: Scope | undefined;
}

/** A list that comes in pages. */
export interface ListRequest extends Omit<CloudRequest, "method" | "body"> {
  /** The key of the answer under which the entries stand. */
  readonly key: string;
}

/** The services of a cloud as one: tokens, addresses, microversions, pages and errors are settled here. */
export interface Cloud {
  /** The parsed answer, an empty object where the service sends none; a refusal is thrown in the portal's words. */
  ask(request: CloudRequest, deadline: OperationDeadline): Promise<Wire>;
  /** The same, but nothing when the service does not know the thing. */
  find(request: CloudRequest, deadline: OperationDeadline): Promise<Wire | undefined>;
  /** All entries of all pages. */
  list(request: ListRequest, deadline: OperationDeadline): Promise<Wire[]>;
  /** Whether the cloud has such a service in our region. */
  has(service: ServiceName, deadline: OperationDeadline): Promise<boolean>;
  /** The session of our own scope. */
  session(deadline: OperationDeadline): Promise<CloudSession>;
  /** Whether Keystone gives our user a token of that scope. */
  canEnter(scope: Scope, deadline: OperationDeadline): Promise<boolean>;
}

/** What a cloud is made of. */
interface CloudParts {
  readonly options: OpenStackOptions;
  readonly sender: Sender;
  readonly sessions: Sessions;
  /** When each service last refused our token by policy, in milliseconds since the epoch. */
  readonly refusals: Map<ServiceName, number>;
}

/** Joins sessions and sender: every request carries a token, is repeated once after a 401, and is read in its service's language. */
export function openCloud(connection: Omit<CloudParts, "refusals">): Cloud {
  const parts: CloudParts = { ...connection, refusals: new Map() };
  const { options, sender, sessions } = parts;
  const ask: Cloud["ask"] = async (request, deadline) => readAnswer(request, await sendTwice(parts, request, deadline));
  return {
    ask,
    async list(request, deadline) {
      const entries = await listAll(request, { deadline, pageSize: options.pageSize ?? 1_000, ask });
      if (entries.length === 0) await believeEmpty(parts, request, deadline);
      return entries;
    },
    async find(request, deadline) {
      try {
        return await ask(request, deadline);
      } catch (thrown) {
        if (isMissing(thrown)) return undefined;
        throw thrown;
      }
    },
    session: (deadline) => sessions.own(deadline),
    canEnter: async (scope, deadline) => (await sessions.find(scope, deadline)) !== undefined,
    async has(service, deadline) {
      const session = await sessions.own(deadline);
      return addressOf(service, { options, session, authUrl: sender.authUrl }) !== undefined;
    },
  };
}

function isMissing(thrown: unknown): thrown is GatewayError {
  return isGatewayError(thrown) && thrown.code === "not_found";
}

/**
 * A service answers 401 to a good token when its own check of it was cut off, and Keystone answers 404 to one whose project, user, domain
 * or application credential is gone: authenticate anew, and repeat, once. Throws `backend_error` for a 404 about the second token.
 */
async function sendTwice(parts: CloudParts, request: CloudRequest, deadline: OperationDeadline): Promise<WireAnswer> {
  const { sessions } = parts;
  const session = await sessionOf(sessions, request.scope, deadline);
  const answer = await send(parts, { request, session }, deadline);
  if (answer.status === 403) return noteRefusal(parts, { request, session }, { answer, now: deadline.now() });
  if (answer.status !== 401 && !(await isAboutToken(parts, { answer, session }, deadline))) return answer;
  sessions.forget(session);
  const renewed = await sessionOf(sessions, request.scope, deadline);
  const repeated = await send(parts, { request, session: renewed }, deadline);
  if (!(await isAboutToken(parts, { answer: repeated, session: renewed }, deadline))) return repeated;
  sessions.forget(renewed);
  const message = "OpenStack does not accept our own token: what it says is missing may be there.";
  throw new GatewayError("backend_error", message);
}

/** True for a 404 with a token that Keystone does not accept: it says nothing of what was asked for. */
async function isAboutToken(
  { sessions }: CloudParts,
  { answer, session }: { readonly answer: WireAnswer; readonly session: CloudSession },
  deadline: OperationDeadline,
): Promise<boolean> {
  return answer.status === 404 && !(await sessions.isGood(session, deadline));
}

/** Milliseconds for which a service's refusal by policy casts doubt on its empty lists. */
const doubtMs = 5 * 60_000;

/** What policy refuses may be a right that our user has lost: the next request has a new token, with the roles of that moment. */
function noteRefusal(
  { sessions, refusals }: CloudParts,
  { request: { service }, session }: Sending,
  { answer, now }: { readonly answer: WireAnswer; readonly now: number },
): WireAnswer {
  const { isOverQuota, readFault } = rowOf(service);
  if (isOverQuota(403, readFault(parseJson(answer.body)) ?? {})) return answer;
  sessions.forget(session);
  refusals.set(service, now);
  return answer;
}

/**
 * Throws `backend_error` for an empty list of a service that has just refused our token by policy: to a user without rights some services
 * list nothing without a word. An administrator's token tells by its roles that the list is whole.
 */
async function believeEmpty(
  { sessions, refusals }: CloudParts,
  { service, scope, key }: ListRequest,
  deadline: OperationDeadline,
): Promise<void> {
  const refusedAt = refusals.get(service);
  if (refusedAt === undefined || refusedAt + doubtMs < deadline.now()) return;
  if ((await sessionOf(sessions, scope, deadline)).isAdmin) return;
  const { title } = rowOf(service);
  const message = `${title} has just refused our token, and now lists no \`${key}\`: they may be there.`;
  throw new GatewayError("backend_error", message);
}

async function sessionOf(
  sessions: Sessions,
  scope: Scope | undefined,
  deadline: OperationDeadline,
): Promise<CloudSession> {
  if (scope === undefined) return sessions.own(deadline);
  const session = await sessions.find(scope, deadline);
  if (session !== undefined) return session;
  throw new GatewayError(
    "backend_error",
    "Keystone gives our user no token for that project (401): it has no role there.",
  );
}

interface Sending {
  readonly request: CloudRequest;
  readonly session: CloudSession;
}

async function send(
  { options, sender }: CloudParts,
  { request, session }: Sending,
  deadline: OperationDeadline,
): Promise<WireAnswer> {
  const { service, method = "GET", path, query = {}, headers, body } = request;
  const base = addressOf(service, { options, session, authUrl: sender.authUrl });
  if (base === undefined) throw missingError(service, options.region);
  const search = new URLSearchParams(query).toString();
  const url = `${base}/${path.map(encodeSegment).join("/")}${search === "" ? "" : `?${search}`}`;
  const token = { "x-auth-token": session.token, ...microversionOf(service, options) };
  return sender.send({ service, method, url, headers: { ...token, ...headers }, body }, deadline);
}

function readAnswer({ service, isSecret }: CloudRequest, answer: WireAnswer): Wire {
  if (answer.status >= 400) throw refusalError({ service, answer, isSecret });
  if (answer.status >= 300) throw unreadableError(service, answer, "no answer but a redirect");
  if (answer.body.trim() === "" || answer.body.trim() === "null") return {};
  const parsed = parseJson(answer.body);
  if (!isRecord(parsed)) throw unreadableError(service, answer, "no JSON object");
  return parsed;
}

interface CloudListing {
  readonly deadline: OperationDeadline;
  readonly pageSize: number;
  readonly ask: Cloud["ask"];
}

async function listAll({ key, ...request }: ListRequest, { deadline, pageSize, ask }: CloudListing): Promise<Wire[]> {
  const { title, isPaged } = rowOf(request.service);
  const entries: Wire[] = [];
  const seen = new Set<string>();
  let query: Readonly<Record<string, string>> | undefined = { ...request.query };
  if (isPaged) query = { ...query, limit: String(pageSize) };
  while (query !== undefined) {
    const page: Wire = await ask({ ...request, query }, deadline).catch((thrown: unknown) => {
      // A list is always there: this is about our token, or the service.
      throw isMissing(thrown)
        ? new GatewayError("backend_error", `${title} gave no list of \`${key}\` (404).`, { cause: thrown.cause })
        : thrown;
    });
    const found = page[key];
    if (!Array.isArray(found)) throw new GatewayError("backend_error", `${title} gave no list of \`${key}\`.`);
    for (const entry of found) if (isRecord(entry)) entries.push(entry);
    query = nextQuery(page, key);
    const mark = JSON.stringify(query);
    if (seen.has(mark)) throw new GatewayError("backend_error", `${title} gave the same page of \`${key}\` twice.`);
    seen.add(mark);
  }
  return entries;
}
