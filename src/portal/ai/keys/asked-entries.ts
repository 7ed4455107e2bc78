import type { ModelPattern, ProviderConfig } from "../../../engine/api/governance.ts";
import type { McpConfig } from "../../../engine/api/mcp/access.ts";
import { GatewayError } from "../../../engine/errors.ts";
import type { StoredKey } from "../../../engine/ports/records.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { entriesFor } from "../../tariff/llms.ts";
import { read } from "../../tenancy/record-access.ts";
import { boundTools } from "../bound-tools.ts";
import { boundEntries, type Ceiling } from "../ceilings.ts";
import { readFamilies } from "../parents.ts";

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

/** The key that is changed, and the tools that it is given; none where they stay. */
interface AskedTools {
  readonly key_id: string;
  readonly mcp_configs?: readonly McpConfig[] | undefined;
}

/** Returns what makes of the given tools of a key those that its project and its customer grant it. */
export async function toolBounder(
  { records }: Pick<PortalDeps, "records">,
  { key_id, mcp_configs: asked }: AskedTools,
  call: PortalCall,
): Promise<(key: StoredKey) => McpConfig[] | undefined> {
  if (!asked) return () => undefined;
  const [family] = await readFamilies(records, call, [await read(call.records, "key", key_id)]);
  const above = [family?.project, family?.customer];
  return (record) => boundTools(asked, { record, above, call });
}
