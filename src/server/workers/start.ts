import { availableParallelism } from "node:os";
import { readConfigFile } from "../config/file.ts";
import type { ServeOptions } from "../open.ts";
import { processFileAt } from "../reload/process-file.ts";
import { runServer } from "../run.ts";
import { readSettings } from "../settings.ts";
import { defaultStore } from "../store/location.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { forkWorker, roleHere } from "./cluster.ts";
import { countWorkers } from "./count.ts";

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
