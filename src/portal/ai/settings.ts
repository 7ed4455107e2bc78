import type { Project, VirtualKey } from "../../engine/api/governance.ts";
import type { McpCeiling } from "../../engine/api/mcp/access.ts";
import { meetBudgets, meetRates } from "../../engine/policy/tighten.ts";
import type { PortalCall } from "../call/call.ts";
import { entriesFor, meetLlms } from "../tariff/llms.ts";
import type { TierPolicy } from "../tariff/tariff.ts";
import { boundTools } from "./bound-tools.ts";
import { boundEntries, type Ceiling, type LimitedField } from "./ceilings.ts";

/** The settings that bound a key and its cost. */
export type KeySettings = Pick<VirtualKey, "provider_configs" | "budgets" | "rate_limits" | "max_in_flight">;

/** True for a project that applies its settings to each of its keys. */
export function hasKeySettings({ metadata }: Project): boolean {
  return metadata.apply_keys === "true";
}

/** Returns the settings of a new key: its project's where that applies them, else its tier's; in either case within the tier. */
export function keySettingsOf(tier: TierPolicy, project: Project | undefined): KeySettings {
  const { provider_configs, budgets, rate_limits, max_in_flight } = tier;
  if (!project || !hasKeySettings(project)) return { provider_configs, budgets, rate_limits, max_in_flight };
  return { ...applyKeySettings(project, tier, { tier, isBound: () => false }), max_in_flight };
}

/** Returns a project's settings for one of its keys, within what bounds the key. Its entries keep their weights, credentials and limits. */
export function applyKeySettings(project: Project, key: KeySettings, ceiling: Ceiling | undefined): KeySettings {
  const { llms, budgets, rate_limits } = project;
  const { tier, isBound = () => false } = ceiling ?? {};
  const allowed = llms && tier ? meetLlms(llms, tier.llms) : llms;
  const provider_configs = allowed ? entriesFor(allowed, key.provider_configs) : key.provider_configs;
  const bounds = (field: LimitedField): readonly KeySettings[] => [
    ...(tier ? [tier] : []),
    ...(isBound(field) ? [key] : []),
  ];
  return {
    provider_configs: boundEntries(provider_configs, key, ceiling),
    budgets: bounds("budgets").reduce((met, bound) => meetBudgets(met, bound.budgets), budgets),
    rate_limits: bounds("rate_limits").reduce((met, bound) => meetRates(met, bound.rate_limits), rate_limits),
  };
}

/** The metadata tag with the original name of a renamed record. */
export function tagName({ name, metadata }: Pick<Project, "name" | "metadata">, renamed: string | undefined) {
  if (renamed === undefined || renamed === name || metadata.original_name !== undefined) return metadata;
  return { ...metadata, original_name: name };
}

const everyTool = [{ server: "*", allowed_tools: ["*"], blocked_tools: [] }];

/** Returns what the keys of a project or a customer may call of tool servers from now on. A tenant gives less than there was. */
export function boundCeilings(
  record: Pick<Project, "metadata" | "mcp_configs">,
  asked: readonly McpCeiling[] | null | undefined,
  call: PortalCall,
): McpCeiling[] | null | undefined {
  const bounds = { record, above: [], call };
  if (asked) return boundTools(asked, bounds);
  if (asked === null && record.mcp_configs) boundTools(everyTool, bounds);
  return asked;
}
