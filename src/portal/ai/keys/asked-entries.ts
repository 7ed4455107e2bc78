import type { ModelPattern, ProviderConfig } from "../../../api/governance.ts";
import { GatewayError } from "../../../errors.ts";
import type { StoredKey } from "../../../ports/records.ts";
import { entriesFor } from "../../tariff/llms.ts";
import { boundEntries, type Ceiling } from "../ceilings.ts";

/** The two ways to say which models a key may ask. */
interface AskedModels {
  readonly llms?: readonly ModelPattern[] | undefined;
  readonly provider_configs?: readonly ProviderConfig[] | undefined;
}

/** The key as it is, and what bounds its new entries. */
interface EntryBounds {
  readonly key: Pick<StoredKey, "provider_configs">;
  readonly ceiling: Ceiling | undefined;
}

/**
 * Returns the entries that a caller gives a key, within those of its tier and of the levels above; undefined where it gives none. Throws
 * `invalid_request` where both fields are given.
 */
export function askedEntries(
  { llms, provider_configs }: AskedModels,
  { key, ceiling }: EntryBounds,
): ProviderConfig[] | undefined {
  if (llms && provider_configs)
    throw new GatewayError("invalid_request", "`provider_configs`: cannot be given together with `llms`.", {
      param: "provider_configs",
    });
  const entries = provider_configs ?? (llms && entriesFor(llms, key.provider_configs));
  return entries && boundEntries(entries, key, ceiling);
}
