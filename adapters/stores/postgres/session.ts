import { GatewayError } from "../../../src/engine/errors.ts";
import type { Database } from "../../shared/postgres/database.ts";
import { inWords } from "../../shared/postgres/fault.ts";
import type { PostgresClient } from "../../shared/postgres/pool.ts";
import { checkNotify, isPooled } from "./notify-check.ts";

/** Who counts by what the store holds: one process alone, or several that count elsewhere together. */
export type CountingMode = "alone" | "shared";

/** The store's own connection: receives other processes' changes, and holds the claim while it lives. */
export interface StoreSession {
  /** False until others can be heard, and again once the connection was lost. */
  readonly isListening: boolean;
  /** How often the connection was opened. */
  readonly openings: number;
  /** Resolves once the connection was tried for the first time. */
  begin(): Promise<void>;
  /** Claims the store, for itself alone or beside others who do not; false when others have it otherwise. */
  claim(how: CountingMode): Promise<boolean>;
  close(): Promise<void>;
}

/** Milliseconds after which a connection that was lost is opened again. */
const againMs = 1_000;
/** Milliseconds between two questions whether the server is still there, and for its answer. */
const beatMs = 5_000;

/** Milliseconds before a connection without notifications is tried again: every reader waits for each try. */
const deafMs = 30_000;

/** By these the server learns within half a minute of a process that is gone without a word, and lets go of its claim. */
const settings = `SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3`;

interface SessionState {
  client: PostgresClient | undefined;
  openings: number;
  claimed: CountingMode | undefined;
  /** The connection that has what is claimed. */
  held: PostgresClient | undefined;
  opening: Promise<void> | undefined;
  /** Why nothing can be heard here, and until when that is taken for known. */
  deaf: { readonly error: unknown; readonly until: number } | undefined;
  timer: NodeJS.Timeout | undefined;
  isClosed: boolean;
}

/** A session that passes the announcements of others to `onNotification`. */
export function createSession(database: Database, onNotification: (raw: string) => void): StoreSession {
  const none = { client: undefined, claimed: undefined, held: undefined, opening: undefined, timer: undefined };
  const state: SessionState = { ...none, deaf: undefined, openings: 0, isClosed: false };
  const parts: SessionParts = { database, onNotification, state };
  return {
    get isListening() {
      return state.client !== undefined;
    },
    get openings() {
      return state.openings;
    },
    begin: () => open(parts).catch(() => {}),
    claim: (how) => inWords("store", () => claim(parts, how)),
    async close() {
      state.isClosed = true;
      await state.opening?.catch(() => {});
      clearTimeout(state.timer);
      drop(parts, state.client);
    },
  };
}

interface SessionParts {
  readonly database: Database;
  readonly onNotification: (raw: string) => void;
  readonly state: SessionState;
}

async function claim(parts: SessionParts, how: CountingMode): Promise<boolean> {
  const { state } = parts;
  await open(parts);
  const { client } = state;
  if (!client) throw new GatewayError("shutting_down", "The store is closed.");
  client.ref?.(); // who waits for the answer lives to hear it
  const isTaken = await lock(parts, client, how).finally(() => client.unref?.());
  if (isTaken) state.claimed = how;
  return isTaken;
}

/** Opens the connection unless it is open; concurrent callers share one opening. */
function open(parts: SessionParts): Promise<void> {
  const { state } = parts;
  if (state.client || state.isClosed) return Promise.resolve();
  if (state.deaf && performance.now() < state.deaf.until) return Promise.reject(state.deaf.error);
  state.opening ??= connect(parts).finally(() => {
    state.opening = undefined;
    if (!state.client && state.claimed) again(parts, againMs); // who only listens opens it when it is next asked
  });
  return state.opening;
}

async function connect(parts: SessionParts): Promise<void> {
  const { database, onNotification, state } = parts;
  const client = await database.connect();
  client.on("notification", ({ payload }) => onNotification(payload ?? ""));
  client.on("error", () => drop(parts, client));
  client.on("end", () => drop(parts, client));
  try {
    const channel = database.nameFor("changes");
    await client.query({ text: `${settings}; LISTEN "${channel}"`, query_timeout: beatMs });
    await checkNotify({ database, client, channel });
    if (state.claimed) await lock(parts, client, state.claimed);
  } catch (thrown) {
    client.release(true);
    if (isPooled(thrown)) state.deaf = { error: thrown, until: performance.now() + deafMs };
    throw thrown;
  }
  client.unref?.();
  state.client = client;
  state.openings++;
  again(parts, beatMs);
}

/** Lets go of the connection, if it is the present one. */
function drop(parts: SessionParts, client: PostgresClient | undefined): void {
  const { state } = parts;
  if (!client || state.client !== client) return;
  state.client = undefined;
  client.release(true);
  again(parts, againMs);
}

/** Looks after the connection once more, later. Keeps no process alive. */
function again(parts: SessionParts, ms: number): void {
  const { state } = parts;
  clearTimeout(state.timer);
  if (state.isClosed) return;
  state.timer = setTimeout(() => void beat(parts), ms);
  state.timer.unref();
}

async function beat(parts: SessionParts): Promise<void> {
  const { client, claimed } = parts.state;
  if (!client) return open(parts).catch(() => {});
  try {
    await client.query({ text: "SELECT 1", query_timeout: beatMs });
    if (claimed) await lock(parts, client, claimed);
    again(parts, beatMs);
  } catch {
    drop(parts, client);
  }
}

/** Takes the claim, unless it has it already. */
async function lock({ database, state }: SessionParts, client: PostgresClient, how: CountingMode): Promise<boolean> {
  if (state.held === client) return true;
  const taking = how === "alone" ? "pg_try_advisory_lock" : "pg_try_advisory_lock_shared";
  const text = `SELECT ${taking}(hashtextextended($1, 0)) AS taken`;
  const { rows } = await client.query({ text, values: [database.nameFor("counting")], query_timeout: beatMs });
  const { taken } = rows[0] as { taken: boolean };
  if (taken) state.held = client;
  return taken;
}
