import { patchDated } from "../../../engine/pipeline/admin/registry.ts";
import type { StoredKey } from "../../../engine/ports/records.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { change, removeNamed } from "../../tenancy/record-access.ts";
import { ceilingOf, refuseLoosening, setFields, tagSetter } from "../ceilings.ts";
import { tagName } from "../settings.ts";
import { warnUnknown } from "../unknown-models.ts";
import { askedEntries, toolBounder } from "./asked-entries.ts";
import { assignKey } from "./assign-key.ts";
import { createKey } from "./create-key.ts";
import { replaceTags } from "./own-tags.ts";
import { rotateKey } from "./rotate-key.ts";
import { readBrief } from "./show-key.ts";

/** Virtual keys: created from a tier, changed, given a new value, moved and deleted. */
export function keysOf(deps: PortalDeps) {
  return {
    createKey: (input, call) => createKey(deps, input, call),
    changeKey: (input, call) => changeKey(deps, input, call),
    rotateKey: (input, call) => rotateKey(deps, input, call),
    assignKey: (input, call) => assignKey(deps, input, call),
    deleteKey: ({ key_id }, call) => removeNamed(call, "key", key_id).then(nothing),
  } satisfies AreaBackend<"ai">;
}

function nothing(): undefined {
  return undefined;
}

/** Changes a key within what its tier and the levels above allow. */
async function changeKey(deps: PortalDeps, input: InputOf<Areas["ai"]["changeKey"]>, call: PortalCall) {
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
