import { readFile, rename, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { isGatewayError } from "../../engine/errors.ts";
import type { StoreFunctions } from "../../server/store/with-store.ts";
import { pauseUntil } from "../../server/terminal/pause.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { readInstant } from "../records/time.ts";
import { createFollower, type LedgerFollower, type Printed } from "./follower.ts";

/** Requests that a state file holds; more are in the ledger behind them. */
const mostStored = 5_000;

/** Reads what an earlier run printed; `undefined` where there is no file yet. */
async function readState(path: string): Promise<Printed | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw thrown;
  }
  const pairs = parse(text);
  if (pairs) return new Map(pairs);
  throw new UsageError(`--state: ${path} is no state of tollgate ledger follow.`, "Name another file, or remove it.");
}

function parse(text: string): [string, number][] | undefined {
  try {
    const { printed } = JSON.parse(text) as { readonly printed?: unknown };
    const isPair = (pair: unknown) =>
      Array.isArray(pair) && pair.length === 2 && typeof pair[0] === "string" && typeof pair[1] === "number";
    return Array.isArray(printed) && printed.every(isPair) ? (printed as [string, number][]) : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the state; a run that dies meanwhile leaves the one before. */
async function writeState(path: string, printed: Printed): Promise<void> {
  const part = `${path}.part`;
  await writeFile(part, `${JSON.stringify({ printed: [...printed].slice(-mostStored) })}\n`, { mode: 0o600 });
  await rename(part, path);
}

/** What is followed, and where its state is. */
interface LedgerFollow {
  readonly usage: Pick<StoreFunctions["usage"], "entries">;
  readonly since?: string | undefined;
  readonly state?: string | undefined;
  readonly once?: boolean | undefined;
}

type FollowTerminal = Pick<Terminal, "folder" | "now" | "out" | "err" | "onSignal">;

/** Milliseconds between two looks at the ledger. */
const lookMs = 1_000;
const longestMs = 86_400_000;

/** Prints requests as they come into the ledger, until a signal; resolves with the exit code. */
export async function followEntries(
  { usage, since, state, once: isOnce = false }: LedgerFollow,
  terminal: FollowTerminal,
): Promise<number> {
  const path = state === undefined || isAbsolute(state) ? state : join(terminal.folder, state);
  const printed = path === undefined ? undefined : await readState(path);
  const follower = createFollower({ usage, printed, since: readSince(since, terminal.now()) });
  const stop = new AbortController();
  const forget = terminal.onSignal(() => stop.abort());
  let isAway = false;
  do {
    try {
      await printNew(follower, path, terminal);
      if (isAway) terminal.err("tollgate: the store answers again.\n");
      isAway = false;
    } catch (thrown) {
      if (isOnce || !isGatewayError(thrown) || thrown.code !== "store_unavailable") throw thrown;
      if (!isAway) terminal.err(`tollgate: ${thrown.message} It is asked again every second.\n`);
      isAway = true;
    }
    if (!isOnce) await pauseUntil(lookMs, stop.signal);
  } while (!isOnce && !stop.signal.aborted);
  forget();
  return 0;
}

function readSince(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const since = readInstant("--since", text, { now, direction: "back" });
  if (since >= now - longestMs) return since;
  throw new UsageError("--since reaches back a day at most.", "tollgate ledger export writes the days before.");
}

/** The state follows what was printed: a run that dies between prints it once more. */
async function printNew(follower: LedgerFollower, path: string | undefined, terminal: FollowTerminal): Promise<void> {
  const entries = await follower.poll(terminal.now());
  if (entries.length > 0) terminal.out(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  if (path !== undefined) await writeState(path, follower.printed);
}
