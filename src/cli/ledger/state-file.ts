import { readFile, rename, writeFile } from "node:fs/promises";
import { UsageError } from "../../server/terminal/usage-error.ts";
import type { Printed } from "./follower.ts";

/** Requests that a state file holds; more are in the ledger behind them. */
const mostStored = 5_000;

/** Reads what an earlier run printed; `undefined` where there is no file yet. */
export async function readState(path: string): Promise<Printed | undefined> {
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
export async function writeState(path: string, printed: Printed): Promise<void> {
  const part = `${path}.part`;
  await writeFile(part, `${JSON.stringify({ printed: [...printed].slice(-mostStored) })}\n`, { mode: 0o600 });
  await rename(part, path);
}
