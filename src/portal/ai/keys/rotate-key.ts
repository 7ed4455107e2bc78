import { GatewayError } from "../../../errors.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { read } from "../../tenancy/record-access.ts";
import { readBrief } from "./show-key.ts";

/** A key that is to end at once is disabled. */
export function refusePast(expiresAt: string | null | undefined, now: number): void {
  if (!expiresAt || Date.parse(expiresAt) > now) return;
  throw new GatewayError("invalid_request", "`expires_at`: is in the past; disable the key", { param: "expires_at" });
}

/** Only a key that the caller may see is rotated; only this answer contains its new value. */
export async function rotateKey(deps: PortalDeps, input: InputOf<Areas["ai"]["rotateKey"]>, { records }: PortalCall) {
  const { id } = await read(records, "key", input.key_id);
  const { overlap } = input;
  const { key, value } = await deps.engine.keys.rotate(id, overlap === undefined ? {} : { overlap });
  return { ...(await readBrief(deps, key)), value };
}
