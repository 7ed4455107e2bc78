import { readAddress } from "../../../config/address.ts";
import { misconfigured } from "../../config/references.ts";
import type { ConfiguredServer } from "../unusable.ts";

/**
 * Rejects a Redis server that evicts keys when its memory is full, because lost counts would let calls exceed budgets silently. `info` is
 * the memory section of the server's INFO; a server that does not provide it is accepted.
 */
export function refuseUnpersisted({ setting, address }: ConfiguredServer, info: string): void {
  const [, most = "0"] = /^maxmemory:(\d+)/m.exec(info) ?? [];
  const [, policy = "noeviction"] = /^maxmemory_policy:(\S+)/m.exec(info) ?? [];
  if (most === "0" || policy === "noeviction") return;
  const { shown } = readAddress(address);
  const why = `drops keys when its memory is full (maxmemory-policy ${policy}), and with them what budgets have spent`;
  throw misconfigured(setting, `names ${shown}, which ${why}; set noeviction there, or name another server`);
}
