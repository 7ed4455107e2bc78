import { randomUUID } from "node:crypto";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { CounterValue } from "../../../../src/engine/ports/counters.ts";
import type { Recovered } from "../../../../src/engine/ports/ledger.ts";
import type { Database } from "../../../shared/postgres/database.ts";
import type { SendQuery } from "../../../shared/postgres/pool.ts";
import { readText } from "../../../shared/postgres/texts.ts";
import { beginMonth } from "../months/months.ts";
import type { StoreSession } from "../session.ts";
import { writeBatch } from "./append.ts";
import type { Load } from "./queue.ts";
import { foldSums, largeBacklog, sizeQuery } from "./rollups.ts";

/** Entries after which the sums of what was written lately are added to those by day. */
const foldEvery = 5_000;
/** The same where these sums have grown large, whichever processes wrote them. */
const foldSoon = 200;
/** Entries after which a new month is tried again. */
const beginEvery = 1_000;

/** Who writes, and what it may. */
export interface Writer {
  readonly database: Database;
  readonly session: StoreSession;
  readonly writer: string;
  /** Of this process, while it counts alone. */
  epoch: number | undefined;
  /** Another gateway has begun to count since. */
  isSuperseded: boolean;
  /** Entries since the sums were folded. */
  unfolded: number;
  folding: Promise<void> | undefined;
  /** The month whose partition this process has seen to, and the entries until it tries again. */
  month: number | undefined;
  untilMonth: number;
  beginning: Promise<void> | undefined;
  isClosing: boolean;
}

/** A lease that has written nothing yet. */
export function openWriter(database: Database, session: StoreSession): Writer {
  const work = { folding: undefined, month: undefined, untilMonth: 0, beginning: undefined };
  const none = { epoch: undefined, isSuperseded: false, unfolded: 0, isClosing: false };
  return { database, session, writer: randomUUID(), ...none, ...work };
}

export async function write(lease: Writer, { number, entries, counterValues }: Load): Promise<void> {
  const { database, writer, epoch } = lease;
  const batch = { writer, number, entries, counterValues, epoch: epoch ?? -1 };
  const { isCurrent, backlog, month } = await writeBatch(database, batch);
  lease.unfolded += entries.length;
  if (lease.unfolded >= (backlog > largeBacklog ? foldSoon : foldEvery)) {
    lease.unfolded = 0;
    lease.folding ??= fold(lease);
  }
  lease.untilMonth -= entries.length;
  if (month !== lease.month && lease.untilMonth <= 0) lease.beginning ??= begin(lease, month);
  if (epoch !== undefined && epoch === lease.epoch && !isCurrent) lease.isSuperseded = true;
}

export function warnSuperseded(): never {
  const message =
    "Another gateway counts by this store now, since this one had lost its connection: budgets hold no longer until this one is started again.";
  throw new GatewayError("invalid_configuration", message, { param: "store" });
}

/** A fold that fails leaves what it has not moved for the next one; one of a store that closes ends with what it is at. */
export async function fold(writer: Writer): Promise<void> {
  await foldSums(writer.database, { isStopped: () => writer.isClosing }).catch(() => {});
  writer.folding = undefined;
}

/** Sees to the partitions of a new month; where that fails, the month before takes the entries until the next try. */
async function begin(writer: Writer, month: number): Promise<void> {
  writer.untilMonth = beginEvery;
  if (await beginMonth(writer.database).catch(() => false)) writer.month = month;
  writer.beginning = undefined;
}

/** What counters hold is written in the same transaction as the entries, so that no entry is ever behind it. */
export async function recover(writer: Writer, now: number, isCounting: boolean): Promise<Recovered> {
  const { database, session } = writer;
  const { schema } = database;
  if (!(await session.claim(isCounting ? "alone" : "shared"))) throw inUse(isCounting);
  await foldLarge(writer);
  return database.transact(async (ask) => {
    await ask({
      text: `DELETE FROM ${schema}.writer WHERE at < now() - interval '1 day' AND id <> $1`,
      values: [writer.writer],
    });
    if (!isCounting) return { counterValues: [], entries: [] };
    const { rows } = await ask({ text: `UPDATE ${schema}.writer_epoch SET number = number + 1 RETURNING number::int` });
    writer.epoch = (rows[0] as { number: number }).number;
    writer.isSuperseded = false;
    await ask({ text: `DELETE FROM ${schema}.standing WHERE end_at <= $1`, values: [now] });
    return readLimits(database, ask, now);
  });
}

/** Begins to fold what processes left that are gone, where it is much. */
async function foldLarge(writer: Writer): Promise<void> {
  const { ask, schema } = writer.database;
  const { rows } = await ask(sizeQuery(schema));
  if (Number((rows[0] as { size: unknown }).size) > largeBacklog) writer.folding ??= fold(writer);
}

function inUse(isCounting: boolean): GatewayError {
  const how = isCounting
    ? "is in use by another gateway, and counts in memory cannot be shared: give every gateway on it the same `counters` of tollgate/counters/redis, or a `schema` of its own"
    : "is in use by a gateway that counts in its own memory: give that one the shared `counters`, too, or a `schema` of its own";
  const message = `The store in PostgreSQL ${how}. What a gateway held that died just now is free in half a minute.`;
  return new GatewayError("invalid_configuration", message, { param: "store" });
}

export async function readLimits({ schema }: Database, ask: SendQuery, now: number): Promise<Recovered> {
  const text = `SELECT counter, start_at, end_at, used FROM ${schema}.standing WHERE end_at > $1 ORDER BY counter`;
  const { rows } = await ask({ text, values: [now] });
  const counterValues = (rows as readonly Record<string, string>[]).map(readCounterValue);
  return { counterValues, entries: [] };
}

function readCounterValue({ counter = "", start_at, end_at, used }: Record<string, string>): CounterValue {
  return { counter: readText(counter), start: Number(start_at), end: Number(end_at), used: Number(used) };
}
