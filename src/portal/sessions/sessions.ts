import { GatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { Credentials, Session } from "../../operations/portal/sessions.ts";
import type { StoredSession } from "../../operations/records/sessions.ts";
import type { AuditEntry } from "../../operations/records/users.ts";
import { actorOf } from "../call/actor.ts";
import { type Caller, scopeAt } from "../call/call.ts";
import type { KnownCaller } from "../identity/caller-cache.ts";
import { idleEndOf } from "../identity/session-end.ts";
import { createAddressTries } from "../passwords/tries.ts";
import { add } from "../tenancy/record-access.ts";
import { createSessionCallers, type SessionCallers, type SessionDeps } from "./callers.ts";
import { type Redemption, redeemLink } from "./redeem.ts";
import { csrfOf, endOfSession, hashSession, seenEveryMs, showSession } from "./session.ts";
import type { SignInCodes } from "./sign-in-codes.ts";

/** Where a login comes from. */
export interface LoginSource {
  /** The address of the peer, where it is known. */
  readonly address?: string | undefined;
  /** True where the caller is on this machine, and no proxy stands between. */
  readonly isLocal?: boolean | undefined;
  readonly eventId: string;
}

/** A session with the value of its cookie, which is shown only once. */
export interface OpenedSession {
  readonly value: string;
  readonly session: Session;
}

/** The sessions of the console (CONSOLE, C4). */
export interface ConsoleSessions {
  /**
   * Throws `token_not_found`, the errors of a token's dates, `request_limited` or `overloaded`, and `permission_denied` for a code from
   * another machine, which leaves the code alone.
   */
  login(credentials: Credentials, source: LoginSource): Promise<OpenedSession>;
  /** Opens a session of the user that a login finds. Throws what the login does, `token_not_found` for a user who is disabled, and `request_limited`. */
  open(source: LoginSource, login: () => Promise<string>): Promise<OpenedSession>;
  /** Throws `token_not_found` for a session that has ended, `permission_denied` for a change without its `csrf`. */
  authenticate(value: string, csrf?: { readonly value: string | undefined }): Promise<Caller>;
  /** Throws `not_found` for a link that sets no password, `invalid_request` for an unfit one, or `request_limited`. */
  redeem(redemption: Redemption, source: LoginSource): Promise<void>;
  read(value: string): Promise<Session>;
  /** Gives the session a new value and resets its idle end. */
  renew(value: string): Promise<OpenedSession>;
  /** Ends a session; one that has ended already is no error. The audit log has an entry under `eventId`, where there is one. */
  logout(value: string, eventId?: string): Promise<void>;
}

/** The sessions of one user at once. The oldest ends when another begins. */
const mostOfUser = 20;

/** Returns the sessions in a store. */
export function createSessions(deps: SessionDeps, codes: Pick<SignInCodes, "take">): ConsoleSessions {
  const { records, clock, entropy } = deps;
  const callers = createSessionCallers(deps, codes);
  const byAddress = createAddressTries();
  const find = (value: string) => findSession({ deps, callers }, value);
  const begin = (source: LoginSource, identify: Identification) => beginSession({ deps, byAddress }, source, identify);
  return {
    async login(credentials, source) {
      if ("code" in credentials && !source.isLocal) throw notLocal();
      return begin(source, (now) => callers.ofCredentials(credentials, now));
    },
    open: (source, login) => begin(source, async () => callers.ofUser(await login())),
    redeem(redemption, { address, eventId }) {
      const now = clock.now();
      return byAddress.guard({ address, now }, () => redeemLink(deps, redemption, { eventId, now }));
    },
    async authenticate(value, csrf) {
      const { session, known } = await find(value);
      if (csrf && csrf.value !== csrfOf(value)) throw noCsrf();
      return { ...known.caller, session_id: session.id };
    },
    async read(value) {
      const { session, known } = await find(value);
      return showSession(value, session, known);
    },
    async renew(value) {
      const { session, version, known } = await find(value);
      const fresh = newValue(entropy);
      const renewed = { ...session, hash: hashSession(fresh), seen_at: new Date(clock.now()).toISOString() };
      const outcome = await records.put("session", renewed, version);
      if (outcome.kind !== "stored") throw ended(); // renewed by another call: its answer has the cookie
      return { value: fresh, session: showSession(fresh, renewed, known) };
    },
    async logout(value, eventId) {
      const stored = await records.findByHash("session", hashSession(value));
      if (!stored) return;
      const now = clock.now();
      const known = await callers.ofSession(stored.record, now);
      await records.remove("session", stored.record.id);
      if (known && eventId !== undefined)
        await auditLogin(records, { known, eventId, now, operation: "sessions.logout" });
    },
  };
}

/** Finds out who logs in, at a time in milliseconds since the epoch. */
type Identification = (now: number) => Promise<KnownCaller>;

interface SessionOpening {
  readonly deps: SessionDeps;
  readonly byAddress: ReturnType<typeof createAddressTries>;
}

/** Opens the session of who logs in; the oldest of too many ends. */
async function beginSession(
  { deps, byAddress }: SessionOpening,
  { address, eventId }: LoginSource,
  identify: Identification,
): Promise<OpenedSession> {
  const now = deps.clock.now();
  const known = await byAddress.guard({ address, now }, () => identify(now));
  await endOldest(deps, known.caller.user.id);
  const opened = await addSession(deps, known, now);
  await auditLogin(deps.records, { known, eventId, now, operation: "sessions.login" });
  return opened;
}

/** Stores a new session. */
async function addSession(deps: SessionDeps, known: KnownCaller, now: number): Promise<OpenedSession> {
  const value = newValue(deps.entropy);
  const at = new Date(now).toISOString();
  const { user, scope } = known.caller;
  const tenant = { reseller: scope.reseller ?? null, client_id: scope.client_id ?? null, user_id: user.id };
  const own = { id: deps.newId("ses"), hash: hashSession(value), token_id: known.token?.id ?? null };
  const session: StoredSession = { ...own, ...tenant, created_at: at, seen_at: at, ends_at: endOfSession(known, now) };
  await add(deps.records, "session", session);
  return { value, session: showSession(value, session, known) };
}

interface SessionLookup {
  readonly deps: SessionDeps;
  readonly callers: SessionCallers;
}

/** Returns the session of a cookie that has not ended, and notes its use. Throws `token_not_found`. */
async function findSession({ deps: { records, clock }, callers }: SessionLookup, value: string) {
  const now = clock.now();
  const stored = await records.findByHash("session", hashSession(value));
  if (!stored || idleEndOf(stored.record) <= now) throw ended();
  const known = await callers.ofSession(stored.record, now);
  if (!known) throw ended();
  if (now - Date.parse(stored.record.seen_at) < seenEveryMs)
    return { session: stored.record, version: stored.version, known };
  const session = { ...stored.record, seen_at: new Date(now).toISOString() };
  const outcome = await records.put("session", session, stored.version);
  return { session, version: outcome.kind === "stored" ? outcome.version : stored.version, known };
}

async function endOldest({ records }: SessionDeps, user_id: string): Promise<void> {
  const present = await records.list("session", { where: { user_id }, limit: 1_000 });
  for (const { record } of present.records.slice(0, Math.max(0, present.records.length - mostOfUser + 1)))
    await records.remove("session", record.id);
}

function newValue(entropy: SessionDeps["entropy"]): string {
  return Buffer.from(entropy(32)).toString("base64url");
}

function notLocal(): GatewayError {
  const message =
    "A sign-in link works on the machine of the gateway only, without a proxy in between. Use an access token.";
  return new GatewayError("permission_denied", message, { param: "code" });
}

function ended(): GatewayError {
  return new GatewayError("token_not_found", "The session has ended. Log in again.", { param: "session" });
}

function noCsrf(): GatewayError {
  const message = "A change with a session needs the session's `csrf` in `x-csrf`: GET /session shows it.";
  return new GatewayError("permission_denied", message, { param: "x-csrf" });
}

/** A login or logout. */
interface LoginEvent {
  readonly operation: "sessions.login" | "sessions.logout";
  readonly known: KnownCaller;
  readonly eventId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Writes a login or logout to the audit log. */
async function auditLogin(records: Records, { operation, known, eventId, now }: LoginEvent): Promise<void> {
  const { user, scope, token_id } = known.caller;
  const { reseller, client_id } = scopeAt(scope);
  const entry: AuditEntry = {
    ...{ id: `aud_${eventId}`, created_at: new Date(now).toISOString(), reseller, client_id },
    ...{ user_id: user.id, token_id, operation, target: {}, region: "", outcome: "ok", event_id: eventId },
    actor: actorOf(known.caller),
  };
  await records.put("audit", entry, 0);
}
