import { GatewayError } from "../../../src/engine/errors.ts";

/** The error of something in the store that is not as it was written; no caller over HTTP learns what. */
export function damaged(what: string): GatewayError {
  const message = `The store in PostgreSQL holds ${what} that cannot be read: it was changed by something else than tollgate. Bring it back from a backup, or remove that row.`;
  return new GatewayError("internal", message, { param: "store" });
}
