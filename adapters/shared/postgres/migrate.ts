import { GatewayError } from "../../../src/engine/errors.ts";
import type { DatabaseContent } from "./fault.ts";
import type { SendQuery } from "./pool.ts";

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
  /** Called before each step of a schema that is there already. */
  readonly onStep?: ((step: MigrationStep) => void) | undefined;
}

/** A step from one version of a schema to the next: statements, or work within the transaction of the step. */
export type Migration = string | ((ask: SendQuery) => Promise<void>);

/** A step that begins: from version `from` to the next, of the newest version `to`. */
export interface MigrationStep {
  readonly from: number;
  readonly to: number;
}

/** Runs `work` in a transaction of its own. */
export type TransactStep = (work: (ask: SendQuery) => Promise<boolean>) => Promise<boolean>;

/** Milliseconds for a statement of a step: a table of texts or an index over a large store takes minutes. */
const stepMs = 86_400_000;
/** Milliseconds that a step waits for what others use; then it makes way for those who wait behind it. */
const lockMs = 500;
/** Milliseconds between two attempts at a step, at most, and those after which it is given up. */
const longestPauseMs = 5_000;
const patienceMs = 3_600_000;

/** PostgreSQL's codes for a lock that did not come in time, and for locks that wait for each other. */
const lockCodes: ReadonlySet<unknown> = new Set(["55P03", "40P01"]);

/**
 * Makes the schema, or brings it up to date: version by version, each in a transaction of its own that other processes wait for. A process
 * that dies leaves the version it has reached, from which the next goes on. No step keeps calls waiting for longer than its own
 * statements take: while its tables are in use, it makes way and tries again, for an hour at most.
 */
export async function bringUpToDate(transact: TransactStep, choice: SchemaChoice, lock: string): Promise<void> {
  const begun = performance.now();
  for (let tries = 1; ; ) {
    try {
      if (await transact((ask) => advance(ask, choice, lock))) return;
      tries = 1;
    } catch (thrown) {
      if (!lockCodes.has(Object(thrown).code) || performance.now() - begun > patienceMs) throw thrown;
      const pauseMs = Math.min(longestPauseMs, 50 * tries++);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** Takes the schema one version further; true where it was up to date. */
async function advance(ask: SendQuery, choice: SchemaChoice, lock: string): Promise<boolean> {
  const { of, name, isMade } = choice;
  await ask({ text: `SET LOCAL lock_timeout = ${lockMs}; SET LOCAL statement_timeout = 0` });
  const { rows } = await ask({ text: "SELECT current_setting('server_encoding') AS encoding" });
  const { encoding } = rows[0] as { encoding: string };
  if (encoding !== "UTF8") throw refusal(of, `its encoding is ${encoding}; make a database with ENCODING 'UTF8'`);
  await ask({ text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", values: [lock] });
  const there = await ask({ text: "SELECT 1 FROM pg_namespace WHERE nspname = $1", values: [name] });
  if (there.rows.length === 0 && !isMade)
    throw refusal(of, `it has no schema ${name}; a gateway makes it when it starts`);
  if (there.rows.length === 0) await ask({ text: `CREATE SCHEMA "${name}"` });
  await ask({ text: `SET LOCAL search_path TO "${name}"` });
  return step(ask, choice);
}

async function step(ask: SendQuery, { of, name, migrations: findMigrations, onStep }: SchemaChoice): Promise<boolean> {
  const migrations = await findMigrations(ask);
  const table = await ask({ text: "SELECT to_regclass($1) AS known", values: [`"${name}".version`] });
  if (!(table.rows[0] as { known: string | null }).known)
    await ask({ text: "CREATE TABLE version (number integer NOT NULL); INSERT INTO version VALUES (0)" });
  const version = await ask({ text: "SELECT number FROM version" });
  const { number } = (version.rows[0] ?? { number: 0 }) as { number: number };
  if (number > migrations.length)
    throw refusal(of, `its schema ${name} was written by a newer tollgate; update this one`);
  const migration = migrations[number];
  if (migration === undefined) return true;
  if (number > 0) onStep?.({ from: number, to: migrations.length });
  const askLong: SendQuery = (query) => ask({ query_timeout: stepMs, ...query });
  await (typeof migration === "string" ? askLong({ text: migration }) : migration(askLong));
  await ask({ text: `UPDATE version SET number = ${number + 1}` });
  return false;
}

/** The error of a database that cannot hold what it shall. */
export function refusal(of: DatabaseContent, why: string): GatewayError {
  const message = `The ${of} in PostgreSQL cannot be used: ${why}.`;
  return new GatewayError("invalid_configuration", message, { param: "pool" });
}
