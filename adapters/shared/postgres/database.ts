import { GatewayError } from "../../../src/errors.ts";
import { type DatabaseContent, inWords, isReported } from "./fault.ts";
import type { PostgresAnswer, PostgresClient, PostgresPool, PostgresQuery } from "./pool.ts";

/** Sends one statement. */
export type SendQuery = (query: PostgresQuery) => Promise<PostgresAnswer>;

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

/** A schema of a database. */
export interface SchemaChoice {
  readonly of: DatabaseContent;
  /** One that needs no quotes, but for words of SQL. */
  readonly name: string;
  /** Makes the schema when it is not there. */
  readonly isMade: boolean;
  /** A replica of the database, which is brought up to date by its primary and only read. */
  readonly isReplica?: boolean;
  /** What brings the schema from one version to the next, asked for once a process. Names without a schema are found in this one. */
  migrations(ask: SendQuery): Promise<readonly Migration[]>;
}

/** A step from one version of a schema to the next: statements, or work within the transaction that brings it up to date. */
export type Migration = string | ((ask: SendQuery) => Promise<void>);

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
    migrated ??= lend((ask) => between(ask, "BEGIN", () => migrate(ask, choice, nameFor("schema"))));
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

/** Makes the schema, or brings it up to date, one process at a time. */
async function migrate(ask: SendQuery, choice: SchemaChoice, lock: string): Promise<void> {
  const { of, name, isMade } = choice;
  const { rows } = await ask({ text: "SELECT current_setting('server_encoding') AS encoding" });
  const { encoding } = rows[0] as { encoding: string };
  if (encoding !== "UTF8") throw refusal(of, `its encoding is ${encoding}; make a database with ENCODING 'UTF8'`);
  await ask({ text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", values: [lock] });
  const there = await ask({ text: "SELECT 1 FROM pg_namespace WHERE nspname = $1", values: [name] });
  if (there.rows.length === 0 && !isMade)
    throw refusal(of, `it has no schema ${name}; a gateway makes it when it starts`);
  if (there.rows.length === 0) await ask({ text: `CREATE SCHEMA "${name}"` });
  await ask({ text: `SET LOCAL search_path TO "${name}"` });
  const migrations = await choice.migrations(ask);
  const table = await ask({ text: "SELECT to_regclass($1) AS known", values: [`"${name}".version`] });
  if (!(table.rows[0] as { known: string | null }).known)
    await ask({ text: "CREATE TABLE version (number integer NOT NULL); INSERT INTO version VALUES (0)" });
  const version = await ask({ text: "SELECT number FROM version" });
  const { number } = (version.rows[0] ?? { number: 0 }) as { number: number };
  if (number > migrations.length)
    throw refusal(of, `its schema ${name} was written by a newer tollgate; update this one`);
  for (const step of migrations.slice(number)) await (typeof step === "string" ? ask({ text: step }) : step(ask));
  if (number < migrations.length) await ask({ text: `UPDATE version SET number = ${migrations.length}` });
}

/** The error of a database that cannot hold what it shall. */
export function refusal(of: DatabaseContent, why: string): GatewayError {
  const message = `The ${of} in PostgreSQL cannot be used: ${why}.`;
  return new GatewayError("invalid_configuration", message, { param: "pool" });
}
