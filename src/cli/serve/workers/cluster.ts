import cluster from "node:cluster";
import type { WorkerReport, WorkerRole } from "../reload/worker-role.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** What a worker learns at its start: its number, and whether its start is printed. */
const numberVariable = "TOLLGATE_WORKER";
const announcesVariable = "TOLLGATE_WORKER_ANNOUNCES";

/** What this process is as a worker; `undefined` where no supervisor started it. */
export function roleHere(): WorkerRole | undefined {
  if (!cluster.isWorker) return undefined;
  const { [numberVariable]: number, [announcesVariable]: announces } = process.env;
  return {
    number: Number(number),
    announces: announces === "1",
    report: (message) => void process.send?.(message, () => {}), // a supervisor that is gone hears nothing
  };
}

/**
 * Starts a worker: this program with the same arguments. The workers share one port; the supervisor accepts its connections and hands
 * them out in turn.
 */
export function forkWorker(number: number, announces: boolean): WorkerProcess {
  const worker = cluster.fork({ [numberVariable]: String(number), [announcesVariable]: announces ? "1" : "0" });
  let isServing = false;
  worker.on("message", (message: unknown) => {
    if (isReport(message) && message.kind === "serving") isServing = true;
  });
  return {
    number,
    pid: worker.process.pid ?? 0,
    get isServing() {
      return isServing;
    },
    kill: (signal) => void worker.process.kill(signal),
    onReport(listener) {
      const onMessage = (message: unknown) => isReport(message) && listener(message);
      worker.on("message", onMessage);
      return () => void worker.off("message", onMessage);
    },
    onExit(listener) {
      const onEnd = (code: number | null, signal: string | null) => listener({ code, signal: signal ?? undefined });
      worker.on("exit", onEnd);
      return () => void worker.off("exit", onEnd);
    },
  };
}

const kinds: readonly unknown[] = ["serving", "reloaded", "metrics"] satisfies WorkerReport["kind"][];

function isReport(message: unknown): message is WorkerReport {
  return typeof message === "object" && message !== null && kinds.includes(Reflect.get(message, "kind"));
}
