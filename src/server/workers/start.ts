import { availableParallelism } from "node:os";
import { GatewayError } from "../../engine/errors.ts";
import { isDatabase } from "../config/address.ts";
import { readConfigFile } from "../config/file.ts";
import type { CheckedConfig } from "../config/shape.ts";
import type { ServeOptions } from "../open.ts";
import { processFileAt } from "../reload/process-file.ts";
import { runServer } from "../run.ts";
import { readSettings } from "../settings.ts";
import { defaultStore } from "../store/location.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { forkWorker, roleHere } from "./cluster.ts";
import { mostWorkers } from "./read-workers.ts";

/**
 * Serves in this process, or starts workers that serve and looks after them, until a signal; resolves with the exit code. A process that a
 * supervisor started serves as its worker.
 */
export async function startServing(options: ServeOptions, asked: number | "auto", terminal: Terminal): Promise<number> {
  const worker = roleHere();
  if (worker !== undefined || asked === 1) return runServer({ ...options, worker }, terminal);
  const { folder, env } = terminal;
  // Read for what concerns the supervisor; the workers read it again, and say what is wrong with it.
  const { config } = readSettings(await readConfigFile(folder, options.file), env);
  const count = countWorkers({ asked, store: options.store, config, cores: availableParallelism() });
  if (count === 1) return runServer(options, terminal);
  terminal.onLostOutput(() => {}); // the workers say so, and go on
  terminal.err(`Starting ${count} workers.\n`);
  const choice = options.store ?? config.store ?? defaultStore;
  const [{ supervise }, { metricsAddress }, { openFileServer }] = await Promise.all([
    import("./supervisor.ts"),
    import("../telemetry/metrics-listener.ts"),
    import("../worker-store/file-server.ts"),
  ]);
  const { store, storeFile } = openFileServer(folder, choice, config.storeUnavailable);
  const processFile = processFileAt({ folder, processFile: options.processFile, storeFile });
  const address = metricsAddress(config);
  const metrics = address && { address, hosts: config.server?.hosts };
  return supervise({ count, fork: forkWorker, processFile, metrics, store, terminal });
}

/** What the number of workers depends on. */
export interface WorkersNeed {
  readonly asked: number | "auto";
  /** The store of the command line; `false` for none. */
  readonly store: string | false | undefined;
  readonly config: Pick<CheckedConfig, "store" | "counters">;
  readonly cores: number;
}

/**
 * How many processes serve. `auto` is one per core where they can share what they count, else one. Throws `invalid_configuration` where
 * several are asked for and a budget would be counted by each of them alone. Over a store file the supervisor counts and writes for all.
 */
export function countWorkers({ asked, store, config, cores }: WorkersNeed): number {
  if (asked === 1) return 1;
  const choice = store ?? config.store ?? defaultStore;
  const lack = lackOf(choice, config);
  if (asked === "auto") return lack === undefined ? Math.min(Math.max(1, cores), mostWorkers) : 1;
  if (lack === undefined) return asked;
  throw new GatewayError("invalid_configuration", `--workers ${asked} ${lack.problem}`, { param: lack.param });
}

/** What keeps several processes from counting together; `undefined` where nothing does. */
function lackOf(store: string | false, { counters }: WorkersNeed["config"]) {
  if (store === false || !isDatabase(store) || counters !== undefined) return undefined;
  const problem =
    "needs `counters: redis://…` in the configuration; without it each worker would count limits and budgets alone.";
  return { param: "counters", problem };
}
