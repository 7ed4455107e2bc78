import pRetry from "p-retry";
import { GatewayError, toGatewayError } from "../errors.ts";
import { entryFor } from "../policy/access.ts";
import { toRefusalError } from "../policy/refusal.ts";
import type { CredentialTerms } from "../ports.ts";
import { type CredentialChoice, chooseCredentials } from "../route/credential.ts";
import type { Target } from "../route/plan.ts";
import { isCredentialFault, isDeadCredential, judge } from "../route/verdict.ts";
import { type Approach, type Ask, type Attempt, tryOnce } from "./attempt.ts";
import { type Call, pause } from "./call.ts";
import { estimateChat } from "./estimate.ts";
import { announceRefusal, closeTab, openTab, type Spent, type Tab } from "./tab.ts";

/** An answer, the attempt that gave it and its tab, both still open. */
export interface Served<Answer> {
  readonly attempt: Attempt;
  readonly tab: Tab;
  readonly answer: Answer;
}

/** The last failure of a target. */
export interface Failed {
  readonly error: GatewayError;
  /** No other target can mend it. */
  readonly isFinal: boolean;
}

/** The asking of one target, try after try. */
interface Visit {
  readonly call: Call;
  readonly target: Target;
  /** The provider's credentials that the caller may use; `undefined` for a provider without any. */
  readonly credentials: readonly CredentialTerms[] | undefined;
  /** Credentials that were refused in this request. */
  readonly dead: Set<string>;
  /** Tries that count: those that only changed the credential do not. */
  counted: number;
  last: Approach | undefined;
}

/** Asks one target within its limits, with its credentials and its retries. */
export async function askTarget<Answer>(
  call: Call,
  target: Target,
  ask: Ask<Answer>,
): Promise<Served<Answer> | Failed> {
  const opened = openTab(call, target);
  const tab = opened instanceof Promise ? await opened : opened;
  if (tab.kind === "refusal") {
    announceRefusal(call, target, tab);
    return { error: toRefusalError(tab), isFinal: false };
  }
  const visit = beginVisit(call, target);
  try {
    const served = await pRetry((tries) => tryOnce(call, approach(visit, tries), ask), {
      retries: call.ports.retry.retries + (visit.credentials?.length ?? 0),
      minTimeout: 0,
      shouldRetry: ({ error }) => prepareRetry(visit, toGatewayError(error)),
    });
    return { ...served, tab };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    closeTab(call, tab, { error, ...spentBy(visit, error) });
    return fail(visit, error);
  }
}

/** What a target that failed consumed: nothing, unless it generated for nobody, or lost a race while it was at work. */
function spentBy({ call, last }: Visit, error: GatewayError): Pick<Spent, "credential" | "usage" | "isEstimated"> {
  const hasLostRace = error.code === "request_cancelled" && !call.cancelled;
  const text = last?.consumed ?? (hasLostRace ? "" : undefined);
  if (!last || text === undefined) return { credential: last?.credential };
  return { credential: last.credential, usage: estimateChat(call, last.deployment, text), isEstimated: true };
}

function beginVisit(call: Call, target: Target): Visit {
  const { credentials } = call.ports.providers.get(target.provider) ?? {};
  const allows = call.access && entryFor(call.access, target.provider)?.allowsCredential;
  const allowed = credentials && allows ? credentials.filter(({ id }) => allows(id)) : credentials;
  return { call, target, credentials: allowed, dead: new Set(), counted: 0, last: undefined };
}

/** Whom to ask next: the best credential that is left. */
function approach(visit: Visit, tries: number): Approach {
  const { target, credentials } = visit;
  visit.counted++;
  if (!credentials) visit.last = { target, tries, credential: undefined, deployment: target.model };
  else {
    const [choice] = choices(visit);
    if (!choice) throw noCredential(visit);
    visit.last = { target, tries, credential: choice.credential.id, deployment: choice.deployment };
  }
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

/** Judges a failed try; true when the target is to be asked again, after the pause that this takes. */
async function prepareRetry(visit: Visit, error: GatewayError): Promise<boolean> {
  const { call } = visit;
  markCredential(visit, error);
  const hasOtherCredential =
    isCredentialFault(error) && choices(visit).some(({ restsUntil }) => restsUntil === undefined);
  const verdict = judgeTry(visit, error, { tries: visit.counted, hasOtherCredential });
  if (call.cancelled) return false;
  if (verdict.kind === "rotate") {
    visit.counted--;
    return true;
  }
  if (verdict.kind !== "retry") return false;
  await pause(call, verdict.afterMs);
  return true;
}

function judgeTry({ call }: Visit, error: GatewayError, state: { tries: number; hasOtherCredential?: boolean }) {
  const { retry: policy, random, clock } = call.ports;
  return judge({ error, policy, draw: random(), remainingMs: call.deadline - clock.now(), ...state });
}

/** Takes a refused credential out of this request, and lets one that answered 429 rest in all. */
function markCredential({ call, target, dead, last }: Visit, error: GatewayError): void {
  const credential = last?.credential;
  if (credential === undefined || !isCredentialFault(error)) return;
  if (isDeadCredential(error)) {
    dead.add(credential);
    return;
  }
  const { health, clock, retry } = call.ports;
  health.rest(target.name, credential, clock.now() + (error.retryAfterMs ?? retry.baseMs));
}

function fail(visit: Visit, error: GatewayError): Failed {
  const isFinal = judgeTry(visit, error, { tries: visit.call.ports.retry.retries + 1 }).kind === "stop";
  const isExhausted = visit.credentials !== undefined && isDeadCredential(error);
  return { error: isExhausted ? exhausted(visit, error) : error, isFinal };
}

function exhausted({ target }: Visit, error: GatewayError): GatewayError {
  const { status, message } = error.upstream ?? error;
  const words = `Every credential of ${target.provider} was refused, the last one with ${status}: ${message}`;
  return new GatewayError("upstream_credentials_exhausted", words, { cause: error });
}

function noCredential({ target, dead }: Visit): GatewayError {
  if (dead.size > 0) {
    return new GatewayError("upstream_credentials_exhausted", `Every credential of ${target.provider} was refused.`);
  }
  return new GatewayError("no_eligible_keys", `No credential of ${target.provider} is good for ${target.model}.`);
}
