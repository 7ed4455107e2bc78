import type { CredentialSettings } from "../ports/provider.ts";
import { type Identify, identifyByName, isBlockedBy, meansAny } from "./model-identity.ts";
import { orderBySession, orderByWeight } from "./spread.ts";

/** A credential that may be asked, and the name to ask it for. */
export interface CredentialChoice<Credential> {
  readonly credential: Credential;
  /** The vendor's name of the model. */
  readonly deployment: string;
  /** Milliseconds since the epoch until which the vendor wants it left alone; absent when it is not resting. */
  readonly restsUntil?: number | undefined;
}

/** By what the names of a model are understood. */
export interface ModelContext {
  readonly provider?: string | undefined;
  /** By the names alone unless given. */
  readonly identify?: Identify | undefined;
}

/** What credentials are chosen by. */
export interface CredentialQuestion extends ModelContext {
  /** The model as the caller names it, without `provider/`. */
  readonly model: string;
  /** A draw in [0, 1). */
  readonly draw: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Requests of one session take the same credential while it is neither resting nor dead. */
  readonly session?: string | undefined;
  /** Credentials that answered 429: id → milliseconds since the epoch until which they rest. */
  readonly resting?: ReadonlyMap<string, number> | undefined;
  /** Credentials that were refused (401, 402, 403) in this request. */
  readonly dead?: ReadonlySet<string> | undefined;
}

/** True when the credential is good for a model of its provider, under whichever of its names: the deny list goes first. */
export function isEligible(
  { models, blockedModels }: CredentialSettings,
  model: string,
  { provider = "", identify = identifyByName }: ModelContext = {},
): boolean {
  if (!models && !blockedModels) return true;
  const name = { provider, model };
  if (blockedModels && meansAny(blockedModels, { model: name, identify, isMeant: isBlockedBy })) return false;
  return models === undefined || meansAny(models, { model: name, identify });
}

/** True when the credential names the model itself, as one of its models or as an alias, and not only by a pattern. */
export function namesModel({ models = [], aliases }: CredentialSettings, model: string): boolean {
  return models.includes(model) || (aliases !== undefined && Object.hasOwn(aliases, model));
}

/** The vendor's name of a model for this credential. */
export function deploymentOf({ aliases }: CredentialSettings, model: string): string {
  return aliases && Object.hasOwn(aliases, model) ? (aliases[model] as string) : model;
}

/**
 * All credentials that may be asked for a model, in the order to ask them: drawn by weight, or by the session; those that rest come
 * last, the first to wake first. Empty when none fits (`no_eligible_keys`) or all that fit are dead (`upstream_credentials_exhausted`).
 */
export function chooseCredentials<Credential extends CredentialSettings>(
  credentials: readonly Credential[],
  question: CredentialQuestion,
): readonly CredentialChoice<Credential>[] {
  const { model, now, resting, dead } = question;
  const fit = credentials.filter((credential) => isEligible(credential, model, question) && !dead?.has(credential.id));
  const awake: CredentialChoice<Credential>[] = [];
  const asleep: (CredentialChoice<Credential> & { readonly restsUntil: number })[] = [];
  for (const credential of inOrder(fit, question)) {
    const deployment = deploymentOf(credential, model);
    const restsUntil = resting?.get(credential.id) ?? 0;
    if (restsUntil > now) asleep.push({ credential, deployment, restsUntil });
    else awake.push({ credential, deployment });
  }
  return [...awake, ...asleep.sort((one, other) => one.restsUntil - other.restsUntil)];
}

function inOrder<Credential extends CredentialSettings>(
  credentials: readonly Credential[],
  { session, draw }: CredentialQuestion,
): readonly Credential[] {
  return session === undefined ? orderByWeight(credentials, draw) : orderBySession(credentials, session);
}
