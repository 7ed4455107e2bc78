import type { StoredKey } from "../../../engine/ports/records.ts";
import { freezeAll } from "../../../engine/runtime/freeze.ts";
import type { AiKey } from "../../../operations/portal/tenancy/ai/resources.ts";
import { type Tariff, type TierPolicy, upliftsOf } from "../../tariff/tariff.ts";
import type { TokensUsage } from "../costs/spending.ts";
import type { KeyWithParents } from "../parents.ts";
import { showBrief, showKeyFacts } from "./show-key.ts";

/** The measured usage of a key. */
interface Measured {
  readonly is_limited: boolean;
  readonly tokens_usage: TokensUsage;
  /** The instant of its newest request, in milliseconds since the epoch. */
  readonly used: number | undefined;
}

/** Returns the view of a key. An unchanged key gets the same frozen object again. */
export type Show = (family: KeyWithParents, measured: Measured) => AiKey;

interface ListedKey extends KeyWithParents, Measured {
  readonly view: AiKey;
}

export function createShow(tariff: Tariff): Show {
  const profiles = new Map(tariff.tiers.map((tier) => [tier.name, showTier(tier)]));
  const cache = new WeakMap<StoredKey, ListedKey>();
  return (family, measured) => {
    const { key } = family;
    const known = cache.get(key);
    if (known && isSame(known, family, measured)) return known.view;
    const uplift = upliftsOf(tariff, key.metadata).map((one) => ({ ...one }));
    const profile = profiles.get(key.metadata.tier ?? "");
    const parent_profile = profiles.get(family.shown.project?.metadata.tier ?? "");
    const view: AiKey = {
      ...showKey(family, measured.used),
      is_limited: measured.is_limited,
      tokens_usage: { ...measured.tokens_usage },
      uplift,
      ...(profile && { profile }),
      ...(parent_profile && { parent_profile }),
    };
    cache.set(key, { ...family, ...measured, view: freezeAll(view) });
    return view;
  };
}

function isSame(
  known: ListedKey,
  { user, shown }: KeyWithParents,
  { is_limited, tokens_usage, used }: Measured,
): boolean {
  const before = known.tokens_usage;
  return (
    known.user === user &&
    known.shown.project === shown.project &&
    known.shown.customer === shown.customer &&
    known.shown.user === shown.user &&
    known.is_limited === is_limited &&
    known.used === used &&
    (before === tokens_usage ||
      (before.requests === tokens_usage.requests &&
        before.refused === tokens_usage.refused &&
        before.prompt_tokens === tokens_usage.prompt_tokens &&
        before.completion_tokens === tokens_usage.completion_tokens &&
        before.cost === tokens_usage.cost))
  );
}

/** The part of the view that comes from the key's records, as far as the caller sees them. */
function showKey(
  { key, user, shown: { project, customer, user: shownUser } }: KeyWithParents,
  used: number | undefined,
) {
  const { project_id, user: user_id, metadata } = key;
  return {
    ...showBrief(key, user),
    ...showKeyFacts(key, used),
    original_name: metadata.original_name ?? key.name,
    ...(project_id === undefined ? {} : { project_id }),
    ...(user_id === undefined ? {} : { user_id }),
    ...(project && { project: project.name, team: { id: project.id, name: project.name, disabled: !project.active } }),
    ...(customer && { customer: { id: customer.id, name: customer.name } }),
    ...(shownUser && { user: shownUser.username }),
  };
}

/** Returns a tier as the view of a key shows it. */
function showTier({ name, llms, key_price }: TierPolicy): NonNullable<AiKey["profile"]> {
  return freezeAll({ name, llms: [...llms], key_price });
}
