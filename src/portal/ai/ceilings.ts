import type { Budget, ModelPattern, Project, ProviderConfig, RateLimit } from "../../engine/api/governance.ts";
import type { McpCeiling } from "../../engine/api/mcp/access.ts";
import { GatewayError } from "../../engine/errors.ts";
import { isWithinBudgets, isWithinRates } from "../../engine/policy/tighten.ts";
import type { StoredKey } from "../../engine/ports/records.ts";
import type { PortalCall } from "../call/call.ts";
import { findBeyond, llmsOf, meetEntries } from "../tariff/llms.ts";
import { checkLlms, type Tariff, type TierPolicy } from "../tariff/tariff.ts";
import { depthOf } from "../tenancy/tenant-scope.ts";

/** What the levels above may limit. */
export type LimitedField = "budgets" | "rate_limits" | "llms" | "active" | "mcp_configs";

/** A key or a project; a project without `llms` allows every model. */
export type Limited = Pick<StoredKey | Project, "metadata" | "budgets" | "rate_limits" | "active"> & {
  readonly llms?: readonly string[] | undefined;
  readonly provider_configs?: readonly ProviderConfig[] | undefined;
};

const levels = ["provider", "reseller", "client"] as const;
const everyModel = ["*"];

/** The metadata tag with the highest level that has set a field by itself. */
const tagOf = (field: LimitedField) => `${field}_by`;

const limitedFields = [
  "budgets",
  "rate_limits",
  "llms",
  "active",
  "mcp_configs",
] as const satisfies readonly LimitedField[];

/** The names of these tags. */
export const setterTags: readonly string[] = limitedFields.map(tagOf);

/** The depth of the level that set a field; undefined where the tier did, or a user. */
function setterOf({ metadata }: Pick<Limited, "metadata">, field: LimitedField): number | undefined {
  const depth = (levels as readonly (string | undefined)[]).indexOf(metadata[tagOf(field)]);
  return depth < 0 ? undefined : depth;
}

/** True where a level above the caller has set a field: the caller can only tighten it. */
export function isFixed(record: Pick<Limited, "metadata">, field: LimitedField, { caller }: PortalCall): boolean {
  return (setterOf(record, field) ?? levels.length) < depthOf(caller.scope);
}

/** Returns the metadata with the caller as who set the fields, save those that a level above it set. */
export function tagSetter(
  record: Pick<Limited, "metadata">,
  fields: readonly LimitedField[],
  call: PortalCall,
): Record<string, string> {
  const level = levels[depthOf(call.caller.scope)];
  const own = level === undefined ? [] : fields.filter((field) => !isFixed(record, field, call));
  return { ...record.metadata, ...Object.fromEntries(own.map((field) => [tagOf(field), level ?? ""])) };
}

/** Returns the metadata of a key that takes a project's settings: they are fixed by the highest level that set them at either. */
export function tagTaken(key: Pick<Limited, "metadata">, project: Pick<Limited, "metadata">): Record<string, string> {
  const tags = (["budgets", "rate_limits", "llms"] as const).map((field) => {
    const depth = Math.min(setterOf(key, field) ?? levels.length, setterOf(project, field) ?? levels.length);
    return [tagOf(field), levels[depth]] as const;
  });
  const tagged = Object.entries({ ...key.metadata, ...Object.fromEntries(tags) });
  return Object.fromEntries(tagged.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** What a tenant's settings may not exceed: a tier, and the present settings where a level above set them or there is no tier. */
export interface Ceiling {
  readonly tier: TierPolicy | undefined;
  /** True where the present settings of a field are a bound. */
  readonly isBound: (field: LimitedField) => boolean;
}

/** Returns what bounds a caller who changes a record; undefined for the provider, whom nothing bounds. */
export function ceilingOf({ tiers }: Tariff, record: Pick<Limited, "metadata">, call: PortalCall): Ceiling | undefined {
  if (depthOf(call.caller.scope) === 0) return undefined;
  const tier = tiers.find(({ name }) => name === record.metadata.tier);
  return { tier, isBound: (field) => (!tier && field !== "active") || isFixed(record, field, call) };
}

/** The settings that a change gives. */
export interface Loosening {
  readonly budgets?: readonly Budget[] | undefined;
  readonly rate_limits?: readonly RateLimit[] | undefined;
  /** Null allows every model. */
  readonly llms?: readonly ModelPattern[] | null | undefined;
  /** What allows the models in place of `llms`. */
  readonly provider_configs?: readonly ProviderConfig[] | undefined;
  readonly active?: boolean | undefined;
  /** Bounded by what grants them: `boundTools`. */
  readonly mcp_configs?: readonly McpCeiling[] | null | undefined;
}

/** Throws `invalid_request` for the first setting that is looser than the tier or a level above allows; it can be tighter. */
export function refuseLoosening(record: Limited, changes: Loosening, ceiling: Ceiling | undefined): void {
  if (!ceiling) return;
  const { tier, isBound } = ceiling;
  const { budgets, rate_limits, provider_configs, active } = changes;
  const llms = changes.llms === null ? everyModel : changes.llms;
  const within = (field: "budgets" | "rate_limits", isWithin: (bound: Limited | TierPolicy) => boolean) => {
    if (tier && !isWithin(tier)) throw loosened(field, `the tier \`${tier.name}\``);
    if (isBound(field) && !isWithin(record)) throw loosened(field, "a level above you");
  };
  if (budgets) within("budgets", (bound) => isWithinBudgets(budgets, bound.budgets));
  if (rate_limits) within("rate_limits", (bound) => isWithinRates(rate_limits, bound.rate_limits));
  for (const [param, models] of [["llms", llms] as const, ...listEntries(provider_configs)]) {
    checkLlms(models, tier, param);
    const position = models && isBound("llms") ? findBeyond(models, modelsOf(record)) : -1;
    if (position >= 0) throw loosened(`${param}.${position}`, "a level above you");
  }
  if (active && !record.active && isBound("active")) throw loosened("active", "a level above you");
}

/** The models of each entry, and the path of the field that lists them. */
function listEntries(entries: readonly ProviderConfig[] = []): [param: string, models: string[]][] {
  return entries.map((entry, position) => [`provider_configs.${position}.allowed_models`, llmsOf([entry])]);
}

/** Returns the fields that a change sets. */
export function setFields(changes: Loosening): LimitedField[] {
  const isSet = (field: LimitedField) =>
    changes[field] !== undefined || (field === "llms" && changes.provider_configs !== undefined);
  return limitedFields.filter(isSet);
}

/** Returns entries within those of the tier and of the present key, as far as these are a bound. */
export function boundEntries(
  entries: readonly ProviderConfig[],
  key: Pick<StoredKey, "provider_configs">,
  ceiling: Ceiling | undefined,
): ProviderConfig[] {
  const { tier, isBound = () => false } = ceiling ?? {};
  const within = tier ? meetEntries(entries, tier.provider_configs) : [...entries];
  return isBound("llms") ? meetEntries(within, key.provider_configs) : within;
}

/** The models that a record allows, as patterns. */
function modelsOf({ llms, provider_configs }: Limited): readonly string[] {
  return provider_configs ? llmsOf(provider_configs) : (llms ?? everyModel);
}

function loosened(param: string, by: string): GatewayError {
  const message = `\`${param}\`: is looser than what ${by} set. You can tighten it; only who set it can loosen it.`;
  return new GatewayError("invalid_request", message, { param });
}
