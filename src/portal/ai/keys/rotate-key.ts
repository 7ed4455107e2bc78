import { createRegistry, type Keys } from "../../../engine/pipeline/admin/registry.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { read } from "../../tenancy/record-access.ts";
import { readBrief } from "./show-key.ts";

/** Returns the engine's functions over keys, on the records of a call: what they write is stored with the call's other writes. */
export function keysIn({ engine, clock, entropy }: PortalDeps, { allRecords }: Pick<PortalCall, "allRecords">): Keys {
  const { keyPrefix } = engine;
  return createRegistry({ records: allRecords, clock, entropy, keyPrefix, hasUniqueNames: true }).keys;
}

/** Only a key that the caller may see is rotated; only this answer contains its new value. */
export async function rotateKey(deps: PortalDeps, input: InputOf<Areas["ai"]["rotateKey"]>, call: PortalCall) {
  const { id } = await read(call.records, "key", input.key_id);
  const { overlap } = input;
  const { key, value } = await keysIn(deps, call).rotate(id, overlap === undefined ? {} : { overlap });
  return { ...(await readBrief(deps, key)), value };
}
