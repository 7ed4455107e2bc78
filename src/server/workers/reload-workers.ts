import { onEachReload } from "../reload/on-each-reload.ts";
import { type ReloadOutcome, writeProcessFile } from "../reload/process-file.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** Workers whose configuration is read again together. */
export interface ReloadableWorkers {
  /** Those that run at the moment. */
  processes(): readonly WorkerProcess[];
  readonly processFile: string | undefined;
  readonly terminal: Pick<Terminal, "err" | "onReload" | "pid">;
}

/**
 * Passes each SIGHUP on: one worker reads the configuration first, and the others follow only where it took it over, so that a broken file
 * changes none of them. Signals that come meanwhile are one more. Returns what stops that.
 */
export function reloadWorkers({ processes, processFile, terminal }: ReloadableWorkers): () => Promise<void> {
  const { pid } = terminal;
  return onEachReload(terminal, async (count) => {
    const lastReload = { ...(await reloadAll(processes())), count };
    if (processFile === undefined) return;
    await writeProcessFile(processFile, { pid, lastReload }).catch((error: Error) => {
      terminal.err(`tollgate: The process file cannot be written: ${error.message}\n`);
    });
  });
}

type WorkerOutcome = Omit<ReloadOutcome, "count">;

async function reloadAll([first, ...others]: readonly WorkerProcess[]): Promise<WorkerOutcome> {
  if (first === undefined) return { isApplied: false, message: "No worker runs at the moment." };
  const outcome = await reloadOne(first);
  if (!outcome.isApplied) return outcome;
  const further = await Promise.all(others.map(reloadOne));
  const refused = further.find(({ isApplied }) => !isApplied);
  if (refused === undefined) return outcome;
  return { isApplied: false, message: `${refused.message} Other workers took it over: the file changed meanwhile.` };
}

/**
 * A worker that is starting is asked once it serves: before that a SIGHUP would end it, and it may have read the file of before. One that ends meanwhile has nothing of a former configuration: the one in its place reads the file.
 */
function reloadOne(worker: WorkerProcess): Promise<WorkerOutcome> {
  return new Promise((resolve) => {
    const end = (outcome: WorkerOutcome) => {
      forgetReport();
      forgetExit();
      resolve(outcome);
    };
    const ask = () => worker.kill("SIGHUP");
    const forgetReport = worker.onReport((report) => {
      if (report.kind === "serving") ask();
      if (report.kind === "reloaded") end(report.outcome);
    });
    const forgetExit = worker.onExit(() => end({ isApplied: true, message: "a worker was started anew" }));
    if (worker.isServing) ask();
  });
}
