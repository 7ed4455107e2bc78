import { removeProcessFile, writeProcessFile } from "../reload/process-file.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { StoreServer } from "../worker-store/server.ts";
import { type MetricsOfAll, serveMetricsOfAll } from "./metrics-of-all.ts";
import { openPool, type PoolOptions } from "./pool.ts";
import { reloadWorkers } from "./reload-workers.ts";

/** What a supervisor needs. */
export interface SupervisorOptions extends PoolOptions {
  /** Where the number of this process is written; `undefined` for nowhere. */
  readonly processFile: string | undefined;
  /** Where the metrics of all workers are served; `undefined` for nowhere. */
  readonly metrics?: Omit<MetricsOfAll, "workers"> | undefined;
  /** The store of the workers, where it has one writer; `undefined` where each worker writes by itself. */
  readonly store?: StoreServer | undefined;
  readonly terminal: Pick<Terminal, "err" | "now" | "onSignal" | "onReload" | "pid">;
}

/**
 * Runs workers, replaces those that die, passes signals and reloads on, and ends when all have ended. The first worker starts alone: it
 * prepares the store and prints the start. Resolves with the exit code.
 */
export async function supervise({
  metrics: shown,
  processFile,
  store,
  ...options
}: SupervisorOptions): Promise<number> {
  const { terminal } = options;
  const { pid } = terminal;
  const metrics = shown && (await serveMetricsOfAll({ ...shown, workers: () => pool.processes() }));
  if (metrics) terminal.err(`Metrics of all workers for Prometheus are at ${metrics.url}.\n`);
  const pool = openPool({
    ...options,
    fork(number, announces) {
      const worker = options.fork(number, announces);
      store?.attach(worker.channel);
      return worker;
    },
    onReport: (worker, report) => metrics?.take(worker, report),
  });
  const forgetSignals = terminal.onSignal((signal) => pool.stop(signal));
  const stopReloads = reloadWorkers({ processes: pool.processes, processFile, terminal });
  if (processFile !== undefined) await writeProcessFile(processFile, { pid, lastReload: undefined });
  pool.start();
  const code = await pool.done;
  await store?.close();
  forgetSignals();
  await stopReloads();
  await metrics?.close();
  if (processFile !== undefined) await removeProcessFile(processFile, pid);
  return code;
}
