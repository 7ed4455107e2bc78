import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import { patchKey } from "../../../policy/record.ts";
import type { StoredKey } from "../../../ports/records.ts";
import type { AreaTools } from "../../area.ts";
import type { PortalCall } from "../../call.ts";
import type { AreaBackend } from "../../regions.ts";
import { change, drop } from "../../shelf.ts";
import { assignKey } from "./assign-key.ts";
import { createKey } from "./create-key.ts";
import { entriesFor } from "./llms.ts";
import { readBrief } from "./show-key.ts";
import { checkLlms } from "./tariff.ts";
import { boundOf, tagName } from "./terms.ts";

type Rows = Areas["ai"];

/** Virtual keys: made by a tier, changed, moved, deleted. */
export function keysOf(tools: AreaTools) {
  return {
    createKey: (input, call) => createKey(tools, input, call),
    changeKey: (input, call) => changeKey(tools, input, call),
    assignKey: (input, call) => assignKey(tools, input, call),
    deleteKey: ({ key_id }, { records }) => drop(records, "key", key_id).then(nothing),
  } satisfies AreaBackend<"ai">;
}

async function changeKey(tools: AreaTools, input: InputOf<Rows["changeKey"]>, call: PortalCall) {
  const { key_id, llms, ...changes } = input;
  const by = (key: StoredKey) => {
    checkLlms(llms, boundOf(tools.tariff, call, key));
    const provider_configs = llms && entriesFor(llms, key.provider_configs);
    return patchKey(key, { ...changes, provider_configs, metadata: tagName(key, changes.name) }, call.now);
  };
  return readBrief(tools, await change(call.records, "key", { id: key_id, by }));
}

function nothing(): undefined {
  return undefined;
}
