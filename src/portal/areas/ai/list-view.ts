import type { AiKey } from "../../../operations/portal/resources/ai.ts";
import { freezeAll } from "../../../ports/frozen.ts";
import type { StoredKey } from "../../../ports/records.ts";
import type { Family } from "./parents.ts";
import { showBrief } from "./show-key.ts";
import type { TokensUsage } from "./spent.ts";
import { type Tariff, type TierPolicy, upliftsOf } from "./tariff.ts";

/** What is known of a key beside its records. */
interface Measured {
  readonly is_limited: boolean;
  readonly tokens_usage: TokensUsage;
}

/** Shows a key; the same frozen object again for as long as it would show the same. */
export type Show = (family: Family, measured: Measured) => AiKey;

interface Kept extends Family, Measured {
  readonly view: AiKey;
}

export function createShow(tariff: Tariff): Show {
  const profiles = new Map(tariff.tiers.map((tier) => [tier.name, showTier(tier)]));
  const kept = new WeakMap<StoredKey, Kept>();
  return (family, measured) => {
    const { key } = family;
    const known = kept.get(key);
    if (known && isSame(known, family, measured)) return known.view;
    const uplift = upliftsOf(tariff, key.metadata).map((one) => ({ ...one }));
    const profile = profiles.get(key.metadata.tier ?? "");
    const parent_profile = profiles.get(family.shown.project?.metadata.tier ?? "");
    const view: AiKey = {
      ...showKey(family),
      is_limited: measured.is_limited,
      tokens_usage: { ...measured.tokens_usage },
      uplift,
      ...(profile && { profile }),
      ...(parent_profile && { parent_profile }),
    };
    kept.set(key, { ...family, ...measured, view: freezeAll(view) });
    return view;
  };
}

function isSame(known: Kept, { user, shown }: Family, { is_limited, tokens_usage }: Measured): boolean {
  const before = known.tokens_usage;
  return (
    known.user === user &&
    known.shown.project === shown.project &&
    known.shown.customer === shown.customer &&
    known.shown.user === shown.user &&
    known.is_limited === is_limited &&
    (before === tokens_usage ||
      (before.requests === tokens_usage.requests &&
        before.prompt_tokens === tokens_usage.prompt_tokens &&
        before.completion_tokens === tokens_usage.completion_tokens &&
        before.cost === tokens_usage.cost))
  );
}

/** What a key's records say, as far as the caller sees them. */
function showKey({ key, user, shown: { project, customer, user: shownUser } }: Family) {
  const { project_id, user: user_id, metadata } = key;
  return {
    ...showBrief(key, user),
    original_name: metadata.original_name ?? key.name,
    ...(project_id === undefined ? {} : { project_id }),
    ...(user_id === undefined ? {} : { user_id }),
    ...(project && { project: project.name, team: { id: project.id, name: project.name, disabled: !project.active } }),
    ...(customer && { customer: { id: customer.id, name: customer.name } }),
    ...(shownUser && { user: shownUser.username }),
  };
}

/** A tier as keys show it. */
function showTier({ name, llms, key_price }: TierPolicy): Record<string, unknown> {
  return freezeAll({ name, llms: [...llms], key_price });
}
