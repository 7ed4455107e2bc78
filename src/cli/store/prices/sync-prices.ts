import { randomUUID } from "node:crypto";
import { access, rename, rm, writeFile } from "node:fs/promises";
import { extname, isAbsolute, join } from "node:path";
import { isGatewayError } from "../../../errors.ts";
import { UsageError } from "../../program/command.ts";
import { pauseUntil } from "../../terminal/pause.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { checkList } from "./diff-prices.ts";
import { comparePrices, type PriceChanges, type RatesByModel } from "./price-changes.ts";
import { nameOfSource, type PriceList, readPriceList } from "./price-list.ts";

/** What to fetch, and where to put it. */
interface PriceSync {
  readonly source: string;
  /** The file that gateways read. */
  readonly file: string;
  /** Takes a list also if many of the former models are gone from it. */
  readonly isForced: boolean;
  /** Milliseconds until the next time; once without. */
  readonly intervalMs: number | undefined;
}

/** A list that has lost more than this share of its models is taken for a damaged one. */
const mostRemoved = 0.2;

/** Brings a file of prices up to date, once or until a signal; resolves with the exit code. */
export async function syncPrices(sync: PriceSync, terminal: Terminal): Promise<number> {
  if (extname(sync.file) !== ".json") throw new UsageError("--file must name a .json file.", "");
  if (sync.intervalMs === undefined) {
    await syncOnce(sync, terminal);
    return 0;
  }
  const stopping = new AbortController();
  const forget = terminal.onSignal(() => {
    forget();
    stopping.abort();
  });
  const { signal } = stopping;
  while (!signal.aborted) {
    await syncOnce(sync, terminal).catch((error) => {
      if (!isGatewayError(error)) throw error;
      terminal.err(`tollgate: ${error.message} The file stays as it is.\n`);
    });
    if (!signal.aborted) await pauseUntil(sync.intervalMs, signal);
  }
  return 0;
}
