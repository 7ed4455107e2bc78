import type { Logger } from "pino";
import type { Engine } from "../http/create-engine.ts";
import type { Portal } from "../portal/index.ts";
import type { CheckedConfig } from "./config/shape.ts";
import type { ServeOptions } from "./open.ts";
import type { LiveConfiguration } from "./reload/live-configuration.ts";
import { processFileAt, type ReloadOutcome } from "./reload/process-file.ts";
import { serveReloads } from "./reload/serve-reloads.ts";
import type { OpenedStore } from "./store/location.ts";
import { followPrices } from "./store/prices/follow-prices.ts";
import type { Terminal } from "./terminal/terminal.ts";

const dayMs = 86_400_000;

/** What is forgotten, of which ledger. */
export interface Retention {
  readonly engine: Pick<Engine, "usage">;
  readonly log: Pick<Logger, "info" | "error">;
  readonly rules: CheckedConfig["ledger"];
  readonly now: () => number;
}

/** Prunes the ledger to the configured retention, now and once a day. The returned function stops it. */
function keepLedgerShort(retention: Retention): () => void {
  const { rules } = retention;
  if (rules?.keepDays === undefined && rules?.keepSumsDays === undefined) return () => {};
  const prune = () => void forgetOld(retention);
  const timer = setInterval(prune, dayMs).unref();
  prune();
  return () => clearInterval(timer);
}

/** Prunes once. A failure is logged, and the next run tries again. */
export async function forgetOld({ engine, log, rules = {}, now }: Retention): Promise<void> {
  const { keepDays, keepSumsDays } = rules;
  try {
    if (keepSumsDays !== undefined) await engine.usage.prune({ before: now() - keepSumsDays * dayMs, sums: true });
    if (keepDays === undefined) return;
    const entries = await engine.usage.prune({ before: now() - keepDays * dayMs });
    if (entries > 0) log.info({ entries }, "forgot old requests");
  } catch (err) {
    log.error({ err }, "the ledger could not be pruned");
  }
}

/** A server that listens, and what its background work needs. */
interface BackgroundInput {
  readonly options: ServeOptions;
  readonly configuration: LiveConfiguration;
  readonly store: OpenedStore | undefined;
  readonly portal: Portal | undefined;
  readonly log: Logger;
  readonly terminal: Terminal;
}

/** Starts what a server does besides answering: retention, prices that are read again, reloads, jobs of the portal. Returns what stops it. */
export function startBackground({
  options,
  configuration,
  store,
  portal,
  log,
  terminal,
}: BackgroundInput): () => Promise<void> {
  const { opened } = configuration;
  const { engine, config } = opened;
  const rules = config.ledger;
  const stopPruning = store ? keepLedgerShort({ engine, log, rules, now: terminal.now }) : () => {};
  let stopFollowing = followPrices(opened.renewable, log);
  const { folder } = terminal;
  configuration.follow((next) => {
    stopFollowing();
    stopFollowing = followPrices(next.renewable, log);
  });
  const { worker } = options;
  const ownFile = processFileAt({ folder, processFile: options.processFile, storeFile: store?.storeFile });
  const processFile = worker ? undefined : ownFile; // a supervisor writes its own
  const onOutcome = (outcome: ReloadOutcome) => worker?.report({ kind: "reloaded", outcome });
  const stopReloads = serveReloads({ configuration, log, terminal, processFile, onOutcome });
  const stopJobs = portal?.start((error, job) => log.error({ err: error, job }, "a duty of the portal failed"));
  return async () => {
    await stopReloads();
    stopPruning();
    stopFollowing();
    await stopJobs?.();
  };
}
