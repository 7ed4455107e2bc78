import { realpathSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { GatewayError } from "../../../src/engine/errors.ts";
import { openFile } from "./connection.ts";
import { isLocked } from "./fault.ts";

/**
 * Takes the role of the only writer of a store's ledger, and returns how to give it back. Two gateways on one file would each count
 * budgets for themselves and sum usage past each other. The lock is SQLite's own, on an empty file beside the store, by whatever symbolic
 * link it was named: the system takes it away from a process that dies. Reading, and writing records, needs no such role.
 */
export function becomeWriter(path: string): () => void {
  if (path === ":memory:") return () => {};
  let lock: DatabaseSync | undefined;
  try {
    lock = openFile(`${realpathSync(path)}-writer`);
    lock.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
  } catch (thrown) {
    lock?.close();
    if (!isLocked(thrown)) throw thrown;
    const message = `The store ${path} is in use by another gateway; a second one needs a store of its own.`;
    throw new GatewayError("invalid_configuration", message, { param: "store", cause: thrown });
  }
  const held = lock;
  return () => held.close();
}
