import type { ModelName } from "../routing/model-name.ts";
import { orderByWeight } from "../routing/spread.ts";
import { type AccessEntry, entryFor, type KeyPermissions } from "./access.ts";
import { type Refusal, refuse } from "./refusal.ts";

/** Who calls, as far as their credential says. */
export interface CallerFacts {
  /** True when a credential was sent that claims to be a virtual key. */
  readonly hasKey: boolean;
  /** What the key gives access to; `undefined` when it is unknown, or none was sent. */
  readonly access: KeyPermissions | undefined;
  /** Whether calls without a key are refused. */
  readonly isKeyRequired: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Leave to ask one target, within the limits of the entry. */
export interface Grant {
  readonly kind: "grant";
  readonly entry: AccessEntry;
}

/** First checks of inference-resolved.md, section 7: the key is known, is there when required, is active and inside its dates. */
export function refuseCaller({ hasKey, access, isKeyRequired, now }: CallerFacts): Refusal | undefined {
  if (hasKey && !access) return refuse("virtual_key_not_found", "The virtual key is unknown.");
  if (!access)
    return isKeyRequired
      ? refuse("virtual_key_required", "A virtual key is required: send it in `x-tg-key`.")
      : undefined;
  if (access.blocked !== undefined) return refuse("virtual_key_blocked", access.blocked);
  if (now < access.opensAt)
    return refuse("virtual_key_blocked", `The virtual key is valid from ${iso(access.opensAt)} on.`);
  if (now >= access.closesAt)
    return refuse("virtual_key_blocked", `The virtual key expired at ${iso(access.closesAt)}.`);
  return undefined;
}

/** The next checks, for one target: its provider has an entry, the entry allows its model. Its limits are `reservation`'s part. */
export function decideTarget(access: KeyPermissions, name: ModelName): Grant | Refusal {
  const entry = entryFor(access, name.provider);
  if (!entry) return refuse("provider_blocked", `The virtual key does not allow the provider \`${name.provider}\`.`);
  if (!entry.allows(name)) {
    return refuse("model_blocked", `The virtual key does not allow the model \`${name.provider}/${name.model}\`.`);
  }
  return { kind: "grant", entry };
}

/** A model that was asked for without a provider. */
export interface BareModel {
  readonly model: string;
  /** Names of the configured providers that could be asked, for entries of `*`. */
  readonly providers: readonly string[];
  /** Uniform in [0, 1). */
  readonly draw: number;
}

/**
 * Who may answer for a model without a provider, in order: the providers whose entries allow it, drawn by weight, the rest of the draw
 * deciding who is next. Those of weight 0 come last. The weight of a `*` entry counts for each provider that it stands for.
 */
export function listCandidates(access: KeyPermissions, { model, providers, draw }: BareModel): readonly ModelName[] {
  const candidates = providers.flatMap((provider) => {
    const entry = entryFor(access, provider);
    return entry?.allows({ provider, model }) ? [{ provider, weight: entry.weight }] : [];
  });
  return orderByWeight(candidates, draw).map(({ provider }) => ({ provider, model }));
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
