import { readAddress } from "../../config/address.ts";
import { misconfigured } from "../../config/references.ts";
import type { ConfiguredServer } from "../unusable.ts";

/** Who reads a server's settings. */
export interface SettingsReader {
  configGet(name: string): Promise<Readonly<Record<string, string>>>;
}

/** The setting `save` of a server; `undefined` where a login may not read it. */
export async function snapshotsOf(client: SettingsReader): Promise<string | undefined> {
  return client.configGet("save").then(
    ({ save }) => save,
    () => undefined,
  );
}

/**
 * What an operator should know of a server that takes snapshots and writes no append-only file: counters that come back empty are rebuilt
 * from the ledger, those of an old snapshot are not.
 */
export function noticeOfSnapshots({ setting, address }: ConfiguredServer, info: string, save?: string) {
  if (!/^aof_enabled:0/m.test(info) || save === undefined || save === "") return undefined;
  const { shown } = readAddress(address);
  const after =
    "after a crash it comes back with the counts of its last snapshot, and limits allow again what was spent since";
  return `\`${setting}\` names ${shown}, which writes no append-only file: ${after}. Set \`appendonly yes\` there.`;
}

/**
 * Rejects a Redis server that evicts keys when its memory is full, because lost counts would let calls exceed budgets silently. `info` is
 * the server's INFO; a server that does not provide it is accepted.
 */
export function refuseUnpersisted({ setting, address }: ConfiguredServer, info: string): void {
  const [, most = "0"] = /^maxmemory:(\d+)/m.exec(info) ?? [];
  const [, policy = "noeviction"] = /^maxmemory_policy:(\S+)/m.exec(info) ?? [];
  if (most === "0" || policy === "noeviction") return;
  const { shown } = readAddress(address);
  const why = `drops keys when its memory is full (maxmemory-policy ${policy}), and with them what budgets have spent`;
  throw misconfigured(setting, `names ${shown}, which ${why}; set noeviction there, or name another server`);
}
