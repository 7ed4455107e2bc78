import { randomUUID } from "node:crypto";
import { type GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type { Database } from "../../shared/postgres/database.ts";
import { refusal } from "../../shared/postgres/migrate.ts";
import type { PostgresClient } from "../../shared/postgres/pool.ts";

/** Milliseconds within which what another connection says must be heard. */
const timeoutMs = 2_000;

/** How a connection is tried. */
export interface NotifyProbe {
  readonly database: Database;
  /** It listens to the channel already. */
  readonly client: PostgresClient;
  readonly channel: string;
}

/**
 * Resolves once the client has heard what another connection announces. Rejects where it does not: behind a pooler that lends
 * connections by the transaction nothing is heard, nor is a lock of a session anybody's, and nobody says so.
 */
export async function checkNotify({ database, client, channel }: NotifyProbe): Promise<void> {
  const word = `echo/${randomUUID()}`; // one word: nobody takes it for a change of records
  let giveUp = (_why: Error) => {};
  const received = new Promise<void>((resolve, reject) => {
    client.on("notification", ({ payload }) => payload === word && resolve());
    giveUp = reject;
  });
  received.catch(() => {}); // if the notification cannot be sent, `ask` throws
  client.on("end", () => giveUp(new Error("The connection ended.")));
  await database.ask({ text: "SELECT pg_notify($1, $2)", values: [channel, word] });
  const timer = setTimeout(() => giveUp(pooled()), timeoutMs);
  await received.finally(() => clearTimeout(timer));
}

/** True for the refusal of a connection that cannot hear. */
export function isPooled(thrown: unknown): boolean {
  return isGatewayError(thrown) && thrown.code === "invalid_configuration";
}

function pooled(): GatewayError {
  const why =
    "what one connection announces is not heard by another, as behind a pooler that lends them by the transaction (`pool_mode = transaction` of PgBouncer). " +
    "Give it the server's own address, or a pooler that lends them by the session";
  return refusal("store", why);
}
