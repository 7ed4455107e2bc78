import type { InputOf } from "../../../operations/calls.ts";
import type { AiKey } from "../../../operations/portal/resources/ai.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { StoredKey } from "../../../ports/records.ts";
import type { AreaTools } from "../../area.ts";
import type { PortalCall } from "../../call.ts";
import type { AreaBackend } from "../../regions.ts";
import { readAll } from "../../shelf.ts";
import { readProject } from "./find.ts";
import { readDetail } from "./key-detail.ts";
import { type Parents, readParents } from "./parents.ts";
import { readPeriod } from "./period.ts";
import { showBrief } from "./show-key.ts";
import { readUsage, type TokensUsage } from "./spent.ts";
import { type Tariff, type TierPolicy, upliftsOf } from "./tariff.ts";

type Rows = Areas["ai"];

/** Virtual keys as they are read. */
export function keyViewsOf(tools: AreaTools) {
  return {
    keys: (input, call) => listKeys(tools, input, call),
    key: ({ key_id }, call) => readDetail(tools, key_id, call),
  } satisfies AreaBackend<"ai">;
}

async function listKeys(tools: AreaTools, input: InputOf<Rows["keys"]>, call: PortalCall): Promise<AiKey[]> {
  const { ai_project_id: project_id } = input;
  const period = readPeriod(input, call.now);
  if (project_id !== undefined) await readProject(call, project_id);
  const keys = await readAll(call.records, "key", whereOf(call, project_id));
  const parents = await readParents(tools.records, call, keys);
  const ids = keys.map(({ id }) => id);
  const [limited, usageOf] = await Promise.all([
    tools.engine.usage.limited(keys.map(parents.of)),
    readUsage(tools.ledger, { dimension: "key_id", ids, period }),
  ]);
  const show = createShow(tools.tariff, parents);
  return keys.map((key) => show(key, { is_limited: limited.has(key.id), tokens_usage: usageOf(key.id) }));
}

/** The narrowest field that the keys are found by. */
function whereOf({ caller: { place } }: PortalCall, project_id: string | undefined) {
  if (project_id !== undefined) return { project_id };
  return place.user_id === undefined ? undefined : { user: place.user_id };
}

/** What is known of a key beside its record. */
interface Measured {
  readonly is_limited: boolean;
  readonly tokens_usage: TokensUsage;
}

function createShow({ tiers, uplift }: Tariff, parents: Parents) {
  const profiles = new Map(tiers.map((tier) => [tier.name, showTier(tier)]));
  return (key: StoredKey, { is_limited, tokens_usage }: Measured): AiKey => {
    const { metadata, project_id, user: user_id } = key;
    const { project, customer, user } = parents.shown(key);
    const profile = profiles.get(metadata.tier ?? "");
    const parent_profile = profiles.get(project?.metadata.tier ?? "");
    return {
      ...showBrief(key, parents.of(key).user),
      is_limited,
      original_name: metadata.original_name ?? key.name,
      tokens_usage: { ...tokens_usage },
      uplift: [...upliftsOf({ tiers, uplift }, metadata)],
      ...(project_id === undefined ? {} : { project_id }),
      ...(user_id === undefined ? {} : { user_id }),
      ...(project && {
        project: project.name,
        team: { id: project.id, name: project.name, disabled: !project.active },
      }),
      ...(customer && { customer: { id: customer.id, name: customer.name } }),
      ...(user && { user: user.username }),
      ...(profile && { profile }),
      ...(parent_profile && { parent_profile }),
    };
  };
}

/** A tier as keys and customers show it. */
function showTier({ name, llms, key_price }: TierPolicy): Record<string, unknown> {
  return { name, llms, key_price };
}
