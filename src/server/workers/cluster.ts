import cluster from "node:cluster";
import type { WorkerReport, WorkerRole } from "../reload/worker-role.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** What a worker learns at its start: its number, and whether its start is printed. */
const numberVariable = "TOLLGATE_WORKER";
const announcesVariable = "TOLLGATE_WORKER_ANNOUNCES";

/** Sends to the supervisor; one that is gone gets nothing. */
function send(message: object): void {
  process.send?.(message, () => {});
}

/** What this process is as a worker; `undefined` where no supervisor started it. */
export function roleHere(): WorkerRole | undefined {
  if (!cluster.isWorker) return undefined;
  const { [numberVariable]: number, [announcesVariable]: announces } = process.env;
  return {
    number: Number(number),
    announces: announces === "1",
    report: send,
    channel: {
      send,
      onMessage(listener) {
        process.on("message", listener);
        return () => void process.off("message", listener); // from then on the channel does not keep this process alive
      },
      onClose: (listener) => void process.on("disconnect", listener),
    },
  };
}

/**
 * Starts a worker: this program with the same arguments. The workers share one socket that listens, and each accepts connections when it
 * has time. A connection that the supervisor handed to a worker would hang for ever if that worker died before it took it.
 */
export function forkWorker(number: number, announces: boolean): WorkerProcess {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ serialization: "advanced" }); // values without an end, and absent ones, arrive as they are
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
    channel: {
      send: (message) => void worker.send(message, () => {}), // to a worker that has ended
      onMessage(listener) {
        worker.on("message", listener);
        return () => void worker.off("message", listener);
      },
      onClose: (listener) => void worker.on("disconnect", listener),
    },
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
