import { GatewayError } from "../../../src/engine/errors.ts";
import type { Connection } from "./connection.ts";

/**
 * Reads JSON that this store wrote. Damaged text is reported in one sentence that names the file and what is damaged in it; the
 * code is `internal`, so that no HTTP caller learns either.
 */
export function readStored({ path }: Pick<Connection, "path">, what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged({ path }, what);
  }
}

/** The error of something in the file that is not as it was written. */
export function damaged({ path }: Pick<Connection, "path">, what: string): GatewayError {
  const message = `The store ${path} holds ${what} that cannot be read: it was changed by something else than tollgate. Bring the file back from a backup, or remove that row.`;
  return new GatewayError("internal", message, { param: "store" });
}
