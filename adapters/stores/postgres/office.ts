import { randomUUID } from "node:crypto";
import { GatewayError } from "../../../src/errors.ts";
import type { Standing } from "../../../src/ports/counters.ts";
import type { Recovered } from "../../../src/ports/ledger.ts";
import type { Ask, Database } from "../../shared/postgres/database.ts";
import { readText } from "../../shared/postgres/texts.ts";
import { writeBatch } from "./append.ts";
import type { Load } from "./queue.ts";
import type { Session } from "./session.ts";
import { foldSums } from "./sums.ts";

/** Entries after which the sums of what was written lately are added to those by day. */
const foldEvery = 5_000;

/** Who writes, and what it may. */
export interface Office {
  readonly database: Database;
  readonly session: Session;
  readonly writer: string;
  /** Of this process, while it counts alone. */
  reign: number | undefined;
  /** Another gateway has begun to count since. */
  isFollowed: boolean;
  /** Entries since the sums were folded. */
  unfolded: number;
  folding: Promise<void> | undefined;
}

/** An office that has written nothing yet. */
export function openOffice(database: Database, session: Session): Office {
  const none = { reign: undefined, isFollowed: false, unfolded: 0, folding: undefined };
  return { database, session, writer: randomUUID(), ...none };
}

export async function write(office: Office, { number, entries, standings }: Load): Promise<void> {
  const { database, writer, reign } = office;
  const reigns = await writeBatch(database, { writer, number, entries, standings, reign: reign ?? -1 });
  office.unfolded += entries.length;
  if (office.unfolded >= foldEvery) {
    office.unfolded = 0;
    office.folding ??= fold(office);
  }
  if (reign !== undefined && reign === office.reign && !reigns) office.isFollowed = true;
}

export function tellFollowed(): never {
  const message =
    "Another gateway counts by this store now, since this one had lost its connection: budgets hold no longer until this one is started again.";
  throw new GatewayError("invalid_configuration", message, { param: "store" });
}

/** A fold that fails leaves everything as it was, for the next one. */
export async function fold(office: Office): Promise<void> {
  await foldSums(office.database).catch(() => {});
  office.folding = undefined;
}

/** What counters hold is written in the same transaction as the entries, so that no entry is ever behind it. */
export async function recover(office: Office, now: number, isCounting: boolean): Promise<Recovered> {
  const { database, session } = office;
  const { schema } = database;
  if (!(await session.claim(isCounting ? "alone" : "shared"))) throw inUse(isCounting);
  return database.transact(async (ask) => {
    await ask({
      text: `DELETE FROM ${schema}.writer WHERE at < now() - interval '1 day' AND id <> $1`,
      values: [office.writer],
    });
    if (!isCounting) return { standings: [], entries: [] };
    const { rows } = await ask({ text: `UPDATE ${schema}.reign SET number = number + 1 RETURNING number::int` });
    office.reign = (rows[0] as { number: number }).number;
    office.isFollowed = false;
    await ask({ text: `DELETE FROM ${schema}.standing WHERE end_at <= $1`, values: [now] });
    return readStandings(database, ask, now);
  });
}

function inUse(isCounting: boolean): GatewayError {
  const how = isCounting
    ? "is in use by another gateway, and counts in memory cannot be shared: give every gateway on it the same `counters` of tollgate/counters/redis, or a `schema` of its own"
    : "is in use by a gateway that counts in its own memory: give that one the shared `counters`, too, or a `schema` of its own";
  const message = `The store in PostgreSQL ${how}. What a gateway held that died just now is free in half a minute.`;
  return new GatewayError("invalid_configuration", message, { param: "store" });
}

export async function readStandings({ schema }: Database, ask: Ask, now: number): Promise<Recovered> {
  const text = `SELECT counter, start_at, end_at, used FROM ${schema}.standing WHERE end_at > $1 ORDER BY counter`;
  const { rows } = await ask({ text, values: [now] });
  const standings = (rows as readonly Record<string, string>[]).map(readStanding);
  return { standings, entries: [] };
}

function readStanding({ counter = "", start_at, end_at, used }: Record<string, string>): Standing {
  return { counter: readText(counter), start: Number(start_at), end: Number(end_at), used: Number(used) };
}
