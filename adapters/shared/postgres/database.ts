import { GatewayError } from "../../../src/engine/errors.ts";
import { type DatabaseContent, inWords, isReported } from "./fault.ts";
import { bringUpToDate, type SchemaChoice, type TransactStep } from "./migrate.ts";
import type { PostgresClient, PostgresPool, SendQuery } from "./pool.ts";

/** A schema of a database, brought up to date before the first question. Errors come in words. */
export interface Database {
  /** As SQL names it. */
  readonly schema: string;
  /** A name for locks and channels, the schema's own within its database. */
  nameFor(purpose: string): string;
  ask: SendQuery;
  /** Runs `work` between `begin`, `BEGIN` unless given, and `COMMIT`; nothing stays of it where it throws. */
  transact<Result>(work: (ask: SendQuery) => Promise<Result>, begin?: string): Promise<Result>;
  /** A connection for longer, to be released as broken. */
  connect(): Promise<PostgresClient>;
  /** Resolves once the schema is up to date, which takes as long as it takes. */
  prepare(): Promise<void>;
  close(): void;
}

/** Milliseconds for a connection, for a statement that does not say otherwise, and for one over much of the ledger. */
const connectMs = 5_000;
const timeoutMs = 10_000;
export const longMs = 300_000;

/** The next query reports the failure; without a listener, an idle connection that ends would end the process. */
const ignore = () => {};
/** Clients that have the listener. */
const known = new WeakSet<PostgresClient>();

/** A schema of the database that a pool connects to. */
export function openDatabase(pool: PostgresPool, choice: SchemaChoice): Database {
  const { of, name } = choice;
  pool.on("error", ignore);
  const schema = `"${name}"`;
  const nameFor = (purpose: string) => `tollgate/${name}/${purpose}`;
  const borrow = async (): Promise<PostgresClient> => {
    const client = await within(of, pool.connect());
    if (!known.has(client)) client.on("error", ignore);
    known.add(client);
    return client;
  };
  const lend = async <Result>(work: (ask: SendQuery) => Promise<Result>): Promise<Result> => {
    const client = await borrow();
    let isBroken = true;
    try {
      const result = await work((query) => client.query({ query_timeout: timeoutMs, ...query }));
      isBroken = false;
      return result;
    } catch (thrown) {
      isBroken = !isReported(thrown);
      throw thrown;
    } finally {
      client.release(isBroken);
    }
  };
  let migrated: Promise<void> | undefined;
  const whenMigrated = async (): Promise<void> => {
    const transact: TransactStep = (work) => lend((ask) => between(ask, "BEGIN", () => work(ask)));
    migrated ??= bringUpToDate(transact, choice, nameFor("schema"));
    await migrated.catch((thrown) => {
      migrated = undefined;
      throw thrown;
    });
  };
  const ready = <Result>(work: () => Promise<Result>) =>
    inWords(of, () => (choice.isReplica ? work() : whenMigrated().then(work)));
  return {
    schema,
    nameFor,
    ask: (query) => ready(() => lend((ask) => ask(query))),
    transact: (work, begin = "BEGIN") => ready(() => lend((ask) => between(ask, begin, () => work(ask)))),
    connect: () => ready(borrow),
    prepare: () => ready(async () => {}),
    close: () => void pool.removeListener("error", ignore),
  };
}

/** A connection, but not for ever: a pool may wait for one without end. One that comes later is given back. */
async function within(of: DatabaseContent, connecting: Promise<PostgresClient>): Promise<PostgresClient> {
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(
        new GatewayError(
          "store_unavailable",
          `The ${of} in PostgreSQL cannot be used just now: it gives no connection.`,
        ),
      );
    }, connectMs);
  });
  connecting.then((client) => isLate && client.release()).catch(() => {});
  try {
    return await Promise.race([connecting, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function between<Result>(ask: SendQuery, begin: string, work: () => Promise<Result>): Promise<Result> {
  await ask({ text: begin });
  try {
    const result = await work();
    await ask({ text: "COMMIT" });
    return result;
  } catch (thrown) {
    if (isReported(thrown) || thrown instanceof GatewayError) await ask({ text: "ROLLBACK" });
    throw thrown;
  }
}
