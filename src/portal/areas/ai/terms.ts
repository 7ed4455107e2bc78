import type { Project, VirtualKeyPatch } from "../../../api/governance.ts";
import type { StoredKey } from "../../../ports/records.ts";
import type { PortalCall } from "../../call.ts";
import { entriesFor, meetLlms } from "./llms.ts";
import type { Tariff, TierPolicy } from "./tariff.ts";

/** What bounds and prices a key. */
export type Terms = Required<Pick<VirtualKeyPatch, "provider_configs" | "budgets" | "rate_limits">>;

/** True for a project whose terms are also those of each of its keys. */
export function givesTerms({ metadata }: Project): boolean {
  return metadata.apply_keys === "true";
}

/** The terms of a new key: its tier's, or its project's where that gives its own, in either case within the tier. */
export function termsOf(tier: TierPolicy, project: Project | undefined): Terms {
  const { provider_configs, budgets, rate_limits } = tier;
  if (!project || !givesTerms(project)) return { provider_configs, budgets, rate_limits };
  return applyTerms(project, { provider_configs }, tier);
}

/** A project's terms for one of its keys, whose entries keep their weights, credentials and limits. */
export function applyTerms(
  { llms, budgets, rate_limits }: Project,
  { provider_configs }: Pick<StoredKey, "provider_configs">,
  tier: TierPolicy | undefined,
): Terms {
  const allowed = llms && tier ? meetLlms(llms, tier.llms) : llms;
  return { provider_configs: allowed ? entriesFor(allowed, provider_configs) : provider_configs, budgets, rate_limits };
}

/** The tier that a record was made by, where it bounds what the caller may allow: not for the provider, nor once it is no longer configured. */
export function boundOf(
  { tiers }: Tariff,
  { caller }: PortalCall,
  { metadata }: Pick<Project, "metadata">,
): TierPolicy | undefined {
  return caller.place.reseller === undefined ? undefined : tiers.find(({ name }) => name === metadata.tier);
}

/** The tag by which a renamed record keeps the name that it was made with. */
export function tagName({ name, metadata }: Pick<Project, "name" | "metadata">, renamed: string | undefined) {
  if (renamed === undefined || renamed === name || metadata.original_name !== undefined) return metadata;
  return { ...metadata, original_name: name };
}
