import type { InputOf } from "../../../operations/calls.ts";
import type { AiKey } from "../../../operations/portal/resources/ai.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import { freezeAll } from "../../../ports/frozen.ts";
import type { StoredKey } from "../../../ports/records.ts";
import type { AreaTools } from "../../area.ts";
import type { PortalCall } from "../../call.ts";
import type { AreaBackend } from "../../regions.ts";
import { readAll } from "../../shelf.ts";
import { readProject } from "./find.ts";
import { readDetail } from "./key-detail.ts";
import { type Family, readFamilies } from "./parents.ts";
import { readPeriod } from "./period.ts";
import { showBrief } from "./show-key.ts";
import { readUsage, type TokensUsage } from "./spent.ts";
import { type Tariff, type TierPolicy, upliftsOf } from "./tariff.ts";

type Rows = Areas["ai"];

/** Virtual keys as they are read. */
export function keyViewsOf(tools: AreaTools) {
  const show = createShow(tools.tariff);
  return {
    keys: (input, call) => listKeys({ tools, show }, input, call),
    key: ({ key_id }, call) => readDetail(tools, key_id, call),
  } satisfies AreaBackend<"ai">;
}

interface Listing {
  readonly tools: AreaTools;
  readonly show: Show;
}

async function listKeys({ tools, show }: Listing, input: InputOf<Rows["keys"]>, call: PortalCall): Promise<AiKey[]> {
  const { ai_project_id: project_id } = input;
  const period = readPeriod(input, call.now);
  if (project_id !== undefined) await readProject(call, project_id);
  const keys = await readAll(call.records, "key", whereOf(call, project_id));
  const families = await readFamilies(tools.records, call, keys);
  const ids = keys.map(({ id }) => id);
  const [limited, usageOf] = await Promise.all([
    tools.engine.usage.limited(families),
    readUsage(tools.ledger, { dimension: "key_id", ids, period }),
  ]);
  return families.map((family) => {
    const { id } = family.key;
    return show(family, { is_limited: limited.has(id), tokens_usage: usageOf(id) });
  });
}

/** The narrowest field that the keys are found by. */
function whereOf({ caller: { place } }: PortalCall, project_id: string | undefined) {
  if (project_id !== undefined) return { project_id };
  return place.user_id === undefined ? undefined : { user: place.user_id };
}

/** What is known of a key beside its records. */
interface Measured {
  readonly is_limited: boolean;
  readonly tokens_usage: TokensUsage;
}

/** Shows a key; the same frozen object again for as long as it would show the same. */
type Show = (family: Family, measured: Measured) => AiKey;

interface Kept extends Family, Measured {
  readonly view: AiKey;
}

function createShow(tariff: Tariff): Show {
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
