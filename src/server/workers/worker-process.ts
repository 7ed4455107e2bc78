import type { WorkerReport } from "../reload/worker-role.ts";
import type { WorkerChannel } from "../worker-store/messages.ts";

/** How a worker's process ended. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | undefined;
}

/** A worker's process. */
export interface WorkerProcess {
  /** The worker's number, from 1; the one in its place after it has the same. */
  readonly number: number;
  readonly pid: number;
  /** True once it takes requests; it reports that it does. */
  readonly isServing: boolean;
  kill(signal: NodeJS.Signals): void;
  readonly channel: WorkerChannel;
  /** Calls `listener` with every report; the returned function stops that. */
  onReport(listener: (report: WorkerReport) => void): () => void;
  /** Calls `listener` when the process has ended; the returned function stops that. */
  onExit(listener: (end: WorkerEnd) => void): () => void;
}

/** Starts the worker of that number; `announces` has it print its start. */
export type Fork = (number: number, announces: boolean) => WorkerProcess;
