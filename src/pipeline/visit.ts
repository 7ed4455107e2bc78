import { GatewayError } from "../errors.ts";
import { announce } from "../events.ts";
import { entryFor } from "../policy/access.ts";
import { type Refusal, toRefusalError } from "../policy/refusal.ts";
import { mostAttempts } from "../ports/ledger.ts";
import type { CredentialTerms } from "../ports.ts";
import { type CredentialChoice, chooseCredentials } from "../route/credential.ts";
import type { Target } from "../route/plan.ts";
import { isCredentialFault, isDeadCredential } from "../route/verdict.ts";
import type { Approach } from "./attempt.ts";
import { type Call, eventOf } from "./call.ts";

/** The asking of one target, try after try. */
export interface Visit {
  readonly call: Call;
  readonly target: Target;
  /** The provider's credentials that the caller may use; `undefined` for a provider without any. */
  readonly credentials: readonly CredentialTerms[] | undefined;
  /** Credentials that were refused in this request. */
  dead: ReadonlySet<string>;
  /** Tries that count: those that only changed the credential do not. */
  counted: number;
  last: Approach | undefined;
}

const none: ReadonlySet<string> = new Set();

/** A visit with the credentials that the caller may use. */
export function beginVisit(call: Call, target: Target): Visit {
  const { credentials } = call.ports.providers.get(target.provider) ?? {};
  const allows = call.access && entryFor(call.access, target.provider)?.allowsCredential;
  const allowed = credentials && allows ? credentials.filter(({ id }) => allows(id)) : credentials;
  return { call, target, credentials: allowed, dead: none, counted: 0, last: undefined };
}

/** Whom to ask next: the best credential that is left. */
export function approach(visit: Visit, tries: number): Approach {
  const { target, credentials, last } = visit;
  visit.counted++;
  const choice = credentials && choices(visit)[0];
  if (credentials && !choice) throw noCredential(visit);
  visit.last = {
    target,
    tries,
    credential: choice?.credential.id,
    deployment: choice?.deployment ?? target.model,
    parts: last?.parts,
    consumed: undefined,
    used: undefined,
  };
  return visit.last;
}

function choices({ call, target, credentials = [], dead }: Visit): readonly CredentialChoice<CredentialTerms>[] {
  const { random, clock, health } = call.ports;
  const resting = health.restingOf(target.name);
  const { session } = call.options;
  return chooseCredentials(credentials, {
    model: target.model,
    draw: random(),
    now: clock.now(),
    session,
    resting,
    dead,
  });
}

/** True when another credential could be asked at once. */
export function hasOtherCredential(visit: Visit): boolean {
  return choices(visit).some(({ restsUntil }) => restsUntil === undefined);
}

/** Takes a refused credential out of this request, and lets one that answered 429 rest in all. */
export function markCredential(visit: Visit, error: GatewayError): void {
  const { call, target } = visit;
  const credential = visit.last?.credential;
  if (credential === undefined || !isCredentialFault(error)) return;
  if (isDeadCredential(error)) {
    visit.dead = new Set([...visit.dead, credential]);
    return;
  }
  const { health, clock, retry } = call.ports;
  health.rest(target.name, credential, clock.now() + (error.retryAfterMs ?? retry.baseMs));
}

/** Lines of a bill that may come yet while one is open: another of the same candidate, and one of whoever is asked beside it. */
const linesToSpare = 3;

/** Whether the bill has room for asking somebody. */
export function hasRoom({ billed }: Call): boolean {
  return billed.length + linesToSpare <= mostAttempts;
}

/** The failure of a visit in the words of the gateway: a refused credential was the last one. */
export function describeFailure(visit: Visit, error: GatewayError): GatewayError {
  return visit.credentials !== undefined && isDeadCredential(error) ? exhausted(visit, error) : error;
}

function exhausted({ target }: Visit, error: GatewayError): GatewayError {
  const { status, message } = error.upstream ?? error;
  const words = `Every credential of ${target.provider} was refused, the last one with ${status}: ${message}`;
  return new GatewayError("upstream_credentials_exhausted", words, { cause: error });
}

/** No route has a target without one: only what embeds questions for the cache is asked without a look at the credentials. */
function noCredential({ target }: Visit): GatewayError {
  return new GatewayError("no_eligible_keys", `No credential of ${target.provider} is good for ${target.model}.`);
}

/** Tells of a target that the caller's limits keep from being asked, and gives the error that it is when nobody else is left. */
export function tellRefusal(call: Call, target: Target, refusal: Refusal): GatewayError {
  announce(call.ports.events, "refused", () => ({
    ...eventOf(call),
    target: target.name,
    reason: refusal.reason,
    ...(call.access ? { key_id: call.access.keyId } : {}),
  }));
  return toRefusalError(refusal);
}
