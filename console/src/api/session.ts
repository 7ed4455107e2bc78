import { prefer, preferences } from "../app/preferences.ts";
import { ApiError, toApiError } from "./errors.ts";
import type { SessionTimes } from "./keep-session.ts";
import { queries } from "./query.ts";
import { callState, onSignedOut, send } from "./request.ts";
import { createStore } from "./store.ts";

/** Who the caller is, as `GET /context` answers it. */
export interface CallerContext {
  readonly user: { readonly id: string; readonly username?: string; readonly email?: string };
  readonly client: { readonly id: string | null; readonly name?: string };
  readonly reseller: { readonly name: string | null };
  readonly region: { readonly code: string; readonly backends: readonly string[] };
  readonly permissions: Readonly<Record<string, true>>;
}

/** The state of the session; `expired` keeps the page open below the form. */
export type SessionState =
  | { readonly kind: "unknown" }
  | { readonly kind: "signed_out" }
  | { readonly kind: "unreachable"; readonly error: ApiError }
  | { readonly kind: "signed_in" | "expired"; readonly context: CallerContext; readonly times: SessionEnds };

/** When a session ends, and when it was begun or renewed; in milliseconds since 1970. */
type SessionEnds = Omit<SessionTimes, "activeAt">;

/** The session of this page. No part of it is stored: the cookie is the browser's, and no script can read it. */
export const session = createStore<SessionState>({ kind: "unknown" });

/** How somebody signs in. */
export type Credentials =
  | { readonly token: string }
  | { readonly code: string }
  | { readonly username: string; readonly password: string; readonly otp?: string };

interface SessionAnswer {
  readonly csrf?: string;
  readonly ends_at?: string;
  readonly idle_ends_at?: string;
}

function toTimes({ ends_at = "", idle_ends_at = "" }: SessionAnswer): SessionEnds {
  const never = Number.MAX_SAFE_INTEGER;
  return {
    endsAt: Date.parse(ends_at) || never,
    idleEndsAt: Date.parse(idle_ends_at) || never,
    renewedAt: Date.now(),
  };
}

/** Why the link that opened the page did not sign in. */
export const linkFailure = createStore<ApiError | undefined>(undefined);

/** Signs in with the code of the link that opened the page; without one, or with one that is used, asks whether the browser has a session. */
export async function beginSession(code: string | undefined): Promise<void> {
  if (code === undefined) return restoreSession();
  try {
    await signIn({ code });
  } catch (thrown) {
    linkFailure.set(toApiError(thrown));
    await restoreSession();
  }
}

/** Asks whether the browser has a session. */
export async function restoreSession(): Promise<void> {
  try {
    await openSession();
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    const isRefused = thrown.status >= 400 && thrown.status < 500;
    session.set(isRefused ? { kind: "signed_out" } : { kind: "unreachable", error: thrown });
  }
}

/** Begins a session. Rejects with an `ApiError`. */
export async function signIn(credentials: Credentials): Promise<void> {
  await send({ method: "POST", path: "session", fields: { ...credentials } });
  await openSession();
  void queries.invalidateQueries();
}

/** Ends the session at the gateway and drops everything that was read. */
export async function signOut(): Promise<void> {
  await send({ method: "DELETE", path: "session", fields: {} }).catch(() => {});
  callState.set({ ...callState.get(), csrf: undefined });
  queries.clear();
  session.set({ kind: "signed_out" });
}

async function openSession(): Promise<void> {
  const { value } = await send({ method: "GET", path: "session", fields: {} });
  const answer = (value ?? {}) as SessionAnswer;
  const { csrf } = answer;
  callState.set({ csrf, region: callState.get().region ?? (await pickRegion()) });
  const { value: context } = await send({ method: "GET", path: "context", fields: {} });
  const before = session.get();
  const next = context as CallerContext;
  // Somebody else may sign in where a session has ended: nothing that was read before is shown to them.
  if ("context" in before && before.context.user.id !== next.user.id) queries.clear();
  session.set({ kind: "signed_in", context: next, times: toTimes(answer) });
}

/** Replaces the cookie by a new one: the idle time begins anew. A failure is seen by the next call. */
export async function renewSession(): Promise<void> {
  const { value } = await send({ method: "POST", path: "session/renew", fields: {} }).catch(() => ({
    value: undefined,
  }));
  const state = session.get();
  if (value === undefined || state.kind !== "signed_in") return;
  const answer = value as SessionAnswer;
  callState.set({ ...callState.get(), csrf: answer.csrf });
  session.set({ ...state, times: toTimes(answer) });
}

/** Asks whether the gateway is there again. */
export async function probeSession(): Promise<void> {
  await send({ method: "GET", path: "session", fields: {} }).catch(() => {});
}

/** Asks for the credentials again, over the page as it is. */
export function askAgain(): void {
  const state = session.get();
  if (state.kind === "signed_in") session.set({ ...state, kind: "expired" });
}

/** A region that the gateway has. */
interface RegionName {
  readonly code: string;
  readonly name: string;
}

/** The regions of the gateway, as its boot document lists them. */
export const regions = createStore<readonly RegionName[]>([]);

/** The region that was chosen on this device where it is still there, else the first. */
async function pickRegion(): Promise<string | undefined> {
  const { value } = await send({ method: "GET", path: "console/boot", fields: {} });
  regions.set((value as { regions?: readonly RegionName[] }).regions ?? []);
  const chosen = preferences.get().region;
  return regions.get().find(({ code }) => code === chosen)?.code ?? regions.get()[0]?.code;
}

/** An OpenID provider that can be signed in at. */
export interface LoginOffer {
  readonly name: string;
  readonly label: string;
}

/** The OpenID providers of the boot document. */
export async function readLoginOffers(): Promise<readonly LoginOffer[]> {
  const { value } = await send({ method: "GET", path: "console/boot", fields: {} });
  return (value as { login?: { oidc?: readonly LoginOffer[] } }).login?.oidc ?? [];
}

/** Reads everything from another region from now on. */
export async function chooseRegion(region: string): Promise<void> {
  prefer({ region });
  callState.set({ ...callState.get(), region });
  queries.clear();
  await openSession();
}

onSignedOut.notify = () => {
  const state = session.get();
  if (state.kind === "signed_in") session.set({ ...state, kind: "expired" });
};

/** True when the caller has the permission; without a session nobody has one. */
export function isPermitted(permission: string): boolean {
  const state = session.get();
  return "context" in state && state.context.permissions[permission] === true;
}
