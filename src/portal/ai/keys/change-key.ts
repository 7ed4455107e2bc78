import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import { patchKey } from "../../../policy/drafts.ts";
import type { StoredKey } from "../../../ports/records.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { entriesFor } from "../../tariff/llms.ts";
import { change } from "../../tenancy/record-access.ts";
import { boundEntries, ceilingOf, refuseLoosening, setFields, tagSetter } from "../ceilings.ts";
import { tagName } from "../settings.ts";
import { refusePast } from "./rotate-key.ts";
import { readBrief } from "./show-key.ts";

/** Changes a key within what its tier and the levels above allow. */
export async function changeKey(deps: PortalDeps, input: InputOf<Areas["ai"]["changeKey"]>, call: PortalCall) {
  const { key_id, llms, ...changes } = input;
  refusePast(changes.expires_at, call.now);
  const by = (key: StoredKey) => {
    const ceiling = ceilingOf(deps.tariff, key, call);
    refuseLoosening(key, { ...changes, llms }, ceiling);
    const provider_configs = llms && boundEntries(entriesFor(llms, key.provider_configs), key, ceiling);
    const metadata = tagSetter({ metadata: tagName(key, changes.name) }, setFields({ ...changes, llms }), call);
    return patchKey(key, { ...changes, provider_configs, metadata }, call.now);
  };
  return readBrief(deps, await change(call.records, "key", { id: key_id, by }));
}
