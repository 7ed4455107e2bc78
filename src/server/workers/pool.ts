import type { WorkerReport } from "../reload/worker-role.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Fork, WorkerEnd, WorkerProcess } from "./worker-process.ts";

/** Milliseconds that a worker must have lived for its end to count as the first one again. */
const healthyMs = 10_000;

/** The first pause before a worker is started again, and the longest, in milliseconds. */
const firstPauseMs = 500;
const longestPauseMs = 30_000;

/** When a worker that ended is started again. */
export interface RestartPolicy {
  started(): void;
  /** Milliseconds until the next start: none after a worker that lived for ten seconds, then 0.5 s, doubled up to 30 s. */
  pauseMs(): number;
}

/** A policy for one place of a worker. */
export function restartPolicy(now: () => number): RestartPolicy {
  let startedAt = 0;
  let shortLives = 0;
  return {
    started() {
      startedAt = now();
    },
    pauseMs() {
      const isHealthy = now() - startedAt >= healthyMs;
      shortLives = isHealthy ? 0 : shortLives + 1;
      return isHealthy ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(shortLives - 1, 10));
    },
  };
}

/** What a pool of workers needs. */
export interface PoolOptions {
  /** Workers to run. */
  readonly count: number;
  readonly fork: Fork;
  readonly terminal: Pick<Terminal, "err" | "now">;
  /** Calls `listener` after so many milliseconds; the returned function forgets it. */
  readonly schedule?: (listener: () => void, ms: number) => () => void;
  /** Called with each report of a worker. */
  readonly onReport?: (worker: WorkerProcess, report: WorkerReport) => void;
}

/** Workers, of which those that die are replaced. */
export interface Pool {
  /** Starts the first worker, and the others when it serves. Where it cannot serve, nothing else is started. */
  start(): void;
  /** Replaces none from now on, and sends all that run a signal. */
  stop(signal: NodeJS.Signals): void;
  /** Those that run at the moment. */
  processes(): readonly WorkerProcess[];
  /** Resolves when all have ended: with 0, or with the exit code of the first one that ended otherwise. */
  readonly done: Promise<number>;
}

/** A place of a worker, and the process that fills it at the moment. */
interface WorkerSlot {
  readonly number: number;
  process: WorkerProcess | undefined;
  readonly restarts: RestartPolicy;
  forgetStart: () => void;
}

type PoolPhase = "first start" | "serving" | "stopping";

/** Waits with a timer of this process. */
function scheduleHere(listener: () => void, ms: number): () => void {
  const timer = setTimeout(listener, ms);
  return () => clearTimeout(timer);
}

/** A pool of which nothing runs yet. */
export function openPool({ count, fork, terminal, schedule = scheduleHere, onReport }: PoolOptions): Pool {
  const slots: WorkerSlot[] = Array.from({ length: count }, (_, at) => {
    return { number: at + 1, process: undefined, restarts: restartPolicy(terminal.now), forgetStart: () => {} };
  });
  const { promise: done, resolve } = Promise.withResolvers<number>();
  const processes = () => slots.flatMap((slot) => slot.process ?? []);
  let phase: PoolPhase = "first start";
  let exitCode = 0;
  let sent: NodeJS.Signals | undefined; // ends a worker that does not serve yet, and has nothing to finish

  const endIfDone = () => phase === "stopping" && processes().length === 0 && resolve(exitCode);
  const startOne = (slot: WorkerSlot) => {
    const worker = fork(slot.number, phase === "first start");
    slot.process = worker;
    slot.restarts.started();
    worker.onReport((report) => {
      if (report.kind === "serving" && phase === "first start") {
        phase = "serving";
        for (const other of slots.slice(1)) startOne(other);
      }
      onReport?.(worker, report);
    });
    worker.onExit((end) => onExit(slot, worker, end));
  };
  const onExit = (slot: WorkerSlot, worker: WorkerProcess, end: WorkerEnd) => {
    slot.process = undefined;
    if (phase === "serving") return replace(slot, worker, end);
    phase = "stopping"; // the first one could not serve, and has said why
    if (end.signal === undefined || end.signal !== sent) exitCode ||= end.code ?? 1;
    endIfDone();
  };
  const replace = (slot: WorkerSlot, { number, pid }: WorkerProcess, { code, signal }: WorkerEnd) => {
    const pauseMs = slot.restarts.pauseMs();
    const how = signal === undefined ? `with code ${code}` : `by ${signal}`;
    const next = pauseMs === 0 ? "another one is started" : `another one is started in ${pauseMs / 1_000} s`;
    terminal.err(`tollgate: Worker ${number} (process ${pid}) ended ${how}; ${next}.\n`);
    slot.forgetStart = schedule(() => startOne(slot), pauseMs);
  };
  return {
    start: () => slots[0] && startOne(slots[0]),
    stop(signal) {
      phase = "stopping";
      sent = signal;
      for (const { forgetStart } of slots) forgetStart();
      for (const worker of processes()) worker.kill(signal);
      endIfDone();
    },
    processes,
    done,
  };
}
