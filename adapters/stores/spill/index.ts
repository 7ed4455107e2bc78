import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { positive, text } from "../../../src/engine/runtime/checks.ts";
import { checkedOptions } from "../../shared/options.ts";
import { spillingLedger } from "./ledger.ts";
import { openRowFile } from "./row-file.ts";

/** Where entries of the ledger wait, and how many. */
export interface SpillingStoreOptions {
  /**
   * The file, made when it is not there. Further processes that name it use `-2`, `-3` … behind its name; what a process leaves when it
   * dies is taken over by the next that opens one of them.
   */
  readonly path: string;
  /** Bytes that the file may have, 256 MiB by default (some 200,000 entries); calls with a key are refused when it is full. */
  readonly maxBytes?: number | undefined;
  /** Milliseconds that the store gets for an entry before it is written to the file, 1,000 by default. */
  readonly patienceMs?: number | undefined;
  /** Milliseconds between two attempts to hand over what waits, 1,000 by default. */
  readonly againMs?: number | undefined;
}

/**
 * A store whose ledger entries wait in a file while it is away, and survive the death of this process there. What `append` has confirmed
 * is in the store or on disk. When the store is back, entries are handed over once each, identified by their ids; they are then newer in
 * the order of the ledger than what was written directly, and reports lack them until then. Records are those of the store.
 *
 * A process that dies within the seconds in which entries are handed over may find them counted twice against limits of windows that are
 * open, never less than once; the ledger has each once.
 *
 * Throws `invalid_configuration` with the path where the file cannot be used.
 */
export function spillingStore(store: Store, options: SpillingStoreOptions): Store {
  const checks = { path: text, maxBytes: positive, patienceMs: positive, againMs: positive };
  const {
    path: name,
    maxBytes = 256 * 1_048_576,
    patienceMs = 1_000,
    againMs = 1_000,
  } = checkedOptions(options, checks, { of: "spillingStore", needs: ["path"] });
  const path = resolve(name);
  if (!existsSync(dirname(path))) {
    const message = `\`path\` of spillingStore names ${path}, whose folder does not exist.`;
    throw new GatewayError("invalid_configuration", message, { param: "path" });
  }
  const file = openRowFile(path, maxBytes);
  const ledger = spillingLedger({ inner: store.ledger, file, patienceMs, againMs });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await ledger.stop();
    try {
      await store.close();
    } catch (thrown) {
      const isInFile = isGatewayError(thrown) && thrown.code === "store_unavailable" && file.count > 0;
      if (!isInFile) throw thrown;
    } finally {
      file.close();
    }
  };
  return {
    ...store,
    ledger,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
