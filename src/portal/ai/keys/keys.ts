import type { PortalDeps } from "../../area.ts";
import type { AreaBackend } from "../../regions.ts";
import { removeNamed } from "../../tenancy/record-access.ts";
import { assignKey } from "./assign-key.ts";
import { changeKey } from "./change-key.ts";
import { createKey } from "./create-key.ts";
import { rotateKey } from "./rotate-key.ts";

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
