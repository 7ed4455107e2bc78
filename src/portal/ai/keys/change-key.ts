import { patchDated } from "../../../engine/pipeline/admin/registry.ts";
import type { StoredKey } from "../../../engine/ports/records.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { change } from "../../tenancy/record-access.ts";
import { ceilingOf, refuseLoosening, setFields, tagSetter } from "../ceilings.ts";
import { tagName } from "../settings.ts";
import { warnUnknown } from "../unknown-models.ts";
import { askedEntries, toolBounder } from "./asked-entries.ts";
import { replaceTags } from "./own-tags.ts";
import { readBrief } from "./show-key.ts";

/** Changes a key within what its tier and the levels above allow. */
export async function changeKey(deps: PortalDeps, input: InputOf<Areas["ai"]["changeKey"]>, call: PortalCall) {
  const { key_id, llms, metadata: tags, ...changes } = input;
  const boundTools = await toolBounder(deps, input, call);
  const by = (key: StoredKey) => {
    const ceiling = ceilingOf(deps.tariff, key, call);
    refuseLoosening(key, { ...changes, llms }, ceiling);
    const provider_configs = askedEntries({ ...changes, llms }, { key, ceiling });
    const mcp_configs = boundTools(key);
    const tagged = tagSetter({ metadata: tagName(key, changes.name) }, setFields({ ...changes, llms }), call);
    return patchDated(
      key,
      { ...changes, provider_configs, mcp_configs, metadata: replaceTags(tagged, tags) },
      call.now,
    );
  };
  const changed = await change(call.records, "key", { id: key_id, by });
  warnUnknown(deps, input, call);
  return readBrief(deps, changed);
}
