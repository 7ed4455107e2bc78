import { GatewayError } from "../../errors.ts";
import { emit } from "../../events.ts";
import { entryFor } from "../../policy/access.ts";
import { type Refusal, toRefusalError } from "../../policy/refusal.ts";
import { mostAttempts } from "../../ports/ledger.ts";
import type { CredentialSettings } from "../../ports/provider.ts";
import { type CredentialChoice, chooseCredentials } from "../../routing/credential.ts";
import type { Target } from "../../routing/plan.ts";
import { isCredentialFault, isDeadCredential } from "../../routing/verdict.ts";
import type { TryConsumption } from "../accounting/consumption.ts";
import { type Call, eventOf } from "../call/call.ts";

/** A call that asks its candidates in order. */
export interface AskingCall {
  readonly call: Call;
  readonly targets: readonly Target[];
  /** Position of the next candidate. */
  readonly next: number;
}

/** One target, try after try. */
export interface TargetRun {
  readonly call: Call;
  /** The candidates of the call; absent where only this target is asked. */
  readonly asking: AskingCall | undefined;
  readonly target: Target;
  /** The provider's credentials that the caller may use; `undefined` for a provider without any. */
  readonly credentials: readonly CredentialSettings[] | undefined;
  /** Credentials that were refused in this request. */
  dead: ReadonlySet<string>;
  /** Tries that count: those that only changed the credential do not. */
  counted: number;
  /** Number of the present try; 0 before the first. */
  tryNumber: number;
  /** The id of the credential that the present try uses; `undefined` for a provider without any. */
  credential: string | undefined;
  /** The provider's name of the model, or the credential's alias of it. */
  model: string;
  /** What the present try consumed without an answer that says so. */
  consumed: TryConsumption;
}

const none: ReadonlySet<string> = new Set();

/** A run with the credentials that the caller may use, before its first try. */
export function openTargetRun(call: Call, target: Target, asking?: AskingCall): TargetRun {
  const { credentials } = call.ports.providers.get(target.provider) ?? {};
  const allows = call.access && entryFor(call.access, target.provider)?.allowsCredential;
  const held = call.ids?.holder?.credential;
  const isFit = (id: string) => (!allows || allows(id)) && (held === undefined || id === held);
  const allowed =
    credentials && (allows || held !== undefined) ? credentials.filter(({ id }) => isFit(id)) : credentials;
  return {
    ...{ call, target, asking, credentials: allowed, dead: none, counted: 0, tryNumber: 0 },
    ...{ credential: undefined, model: target.model, consumed: {} },
  };
}

/** Begins the next try with the best credential that is left; throws `no_eligible_keys` when none is. */
export function beginTry(run: TargetRun): TargetRun {
  const { target, credentials, consumed } = run;
  run.counted++;
  run.tryNumber++;
  const choice = credentials && choices(run)[0];
  if (credentials && !choice) throw noCredential(run);
  run.credential = choice?.credential.id;
  run.model = choice?.deployment ?? target.model;
  run.consumed = {
    lostText: undefined,
    partialUsage: undefined,
    partialAnswers: undefined,
    subCalls: consumed.subCalls,
  };
  return run;
}

function choices({ call, target, credentials = [], dead }: TargetRun): readonly CredentialChoice<CredentialSettings>[] {
  const { random, clock, health, accounting } = call.ports;
  const resting = health.pausedOf(target.name);
  const { session } = call.options;
  return chooseCredentials(credentials, {
    model: target.model,
    provider: target.provider,
    identify: accounting.identify,
    draw: random(),
    now: clock.now(),
    session,
    resting,
    dead,
  });
}

/** True when another credential could be asked at once. */
export function hasOtherCredential(run: TargetRun): boolean {
  return choices(run).some(({ restsUntil }) => restsUntil === undefined);
}

/** True when another candidate is left, ready or not. */
export function hasFallback({ asking }: TargetRun): boolean {
  return asking !== undefined && asking.next < asking.targets.length;
}

/** True when another candidate could be asked at once: one is left whose circuit is not open. */
export function hasReadyFallback({ call, asking }: TargetRun): boolean {
  if (!asking || asking.next >= asking.targets.length || !hasRoom(call)) return false;
  const { health, clock } = call.ports;
  const now = clock.now();
  return asking.targets.slice(asking.next).some(({ name }) => health.retryAfterOf(name, now) === 0);
}

/** Takes a refused credential out of this request, and pauses one that answered 429 for all requests. */
export function markCredential(run: TargetRun, error: GatewayError): void {
  const { call, target, credential } = run;
  if (credential === undefined || !isCredentialFault(error)) return;
  if (isDeadCredential(error)) {
    run.dead = new Set([...run.dead, credential]);
    return;
  }
  const { health, clock, retry } = call.ports;
  health.pause(target.name, credential, clock.now() + (error.retryAfterMs ?? retry.baseMs));
}

/** Lines of a bill that may follow while one is open: another of the same candidate, and one of a candidate asked in parallel. */
const linesToSpare = 3;

/** Whether the bill has room for another request. */
export function hasRoom({ ledgerLines: billed }: Call): boolean {
  return billed.length + linesToSpare <= mostAttempts;
}

/** The failure of a target run in the gateway's words: a refused credential was the last one. */
export function describeFailure(run: TargetRun, error: GatewayError): GatewayError {
  return run.credentials !== undefined && isDeadCredential(error) ? exhausted(run, error) : error;
}

function exhausted({ target }: TargetRun, error: GatewayError): GatewayError {
  const { status, message } = error.upstream ?? error;
  const reported = status === 402 ? `: ${message}` : ".";
  const words = `Every credential of ${target.provider} was refused, the last one with ${status}${reported}`;
  return new GatewayError("upstream_credentials_exhausted", words, { cause: error });
}

/** Every target of a route has one: only the embedding for the cache is asked without a look at the credentials. */
function noCredential({ target }: TargetRun): GatewayError {
  return new GatewayError("no_eligible_keys", `No credential of ${target.provider} is good for ${target.model}.`);
}

/** Reports a target that the caller's limits exclude, and returns the error to throw when no other target is left. */
export function reportRefusal(call: Call, target: Target, refusal: Refusal): GatewayError {
  emit(call.ports.events, "refused", () => ({
    ...eventOf(call),
    target: target.name,
    reason: refusal.reason,
    ...(call.access ? { key_id: call.access.keyId } : {}),
  }));
  return toRefusalError(refusal);
}
