import { misconfigured } from "../config/references.ts";
import { readAddress } from "./address.ts";
import type { Wanted } from "./unusable.ts";

/**
 * Refuses a Redis server that drops keys when its memory is full: budgets whose counts are gone are passed, and nobody is told. `info` is
 * what the server says of its memory; one that says nothing is taken.
 */
export function refuseForgetful({ setting, address }: Wanted, info: string): void {
  const [, most = "0"] = /^maxmemory:(\d+)/m.exec(info) ?? [];
  const [, policy = "noeviction"] = /^maxmemory_policy:(\S+)/m.exec(info) ?? [];
  if (most === "0" || policy === "noeviction") return;
  const { shown } = readAddress(address);
  const why = `drops keys when its memory is full (maxmemory-policy ${policy}), and with them what budgets have spent`;
  throw misconfigured(setting, `names ${shown}, which ${why}; set noeviction there, or name another server`);
}
