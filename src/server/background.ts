import type { Logger } from "pino";
import type { Portal } from "../portal/index.ts";
import type { ServeOptions } from "./open.ts";
import type { LiveConfiguration } from "./reload/live-configuration.ts";
import { processFileAt, type ReloadOutcome } from "./reload/process-file.ts";
import { serveReloads } from "./reload/serve-reloads.ts";
import { keepLedgerShort } from "./retention.ts";
import type { OpenedStore } from "./store/location.ts";
import { followPrices } from "./store/prices/follow-prices.ts";
import type { Terminal } from "./terminal/terminal.ts";

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
