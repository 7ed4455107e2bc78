import { GatewayError } from "../../../errors.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import { patchKey } from "../../../policy/drafts.ts";
import type { StoredKey } from "../../../ports/records.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { entriesFor } from "../../tariff/llms.ts";
import { change, read, remove } from "../../tenancy/record-access.ts";
import { boundEntries, ceilingOf, refuseLoosening, setFields, tagSetter } from "../ceilings.ts";
import { tagName } from "../settings.ts";
import { assignKey } from "./assign-key.ts";
import { createKey } from "./create-key.ts";
import { readBrief } from "./show-key.ts";

type AiKeyRows = Areas["ai"];

/** Virtual keys: created from a tier, changed, moved and deleted. */
export function keysOf(deps: PortalDeps) {
  return {
    createKey: (input, call) => createKey(deps, input, call),
    changeKey: (input, call) => changeKey(deps, input, call),
    rotateKey: (input, call) => rotateKey(deps, input, call),
    assignKey: (input, call) => assignKey(deps, input, call),
    deleteKey: ({ key_id }, { records }) => remove(records, "key", key_id).then(nothing),
  } satisfies AreaBackend<"ai">;
}

async function changeKey(deps: PortalDeps, input: InputOf<AiKeyRows["changeKey"]>, call: PortalCall) {
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

/** A key that is to end at once is disabled. */
function refusePast(expiresAt: string | null | undefined, now: number): void {
  if (!expiresAt || Date.parse(expiresAt) > now) return;
  throw new GatewayError("invalid_request", "`expires_at`: is in the past; disable the key", { param: "expires_at" });
}

/** Only a key that the caller may see is rotated; only this answer contains its new value. */
async function rotateKey(deps: PortalDeps, input: InputOf<AiKeyRows["rotateKey"]>, { records }: PortalCall) {
  const { id } = await read(records, "key", input.key_id);
  const { overlap } = input;
  const { key, value } = await deps.engine.keys.rotate(id, overlap === undefined ? {} : { overlap });
  return { ...(await readBrief(deps, key)), value };
}

function nothing(): undefined {
  return undefined;
}
