import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type Connection, ownCheckpointPages } from "../connection.ts";

/** A message to the thread. */
export type CheckpointRequest = "checkpoint" | "close";

/** Copies the write-ahead log of a store file into the file, while others write. */
export interface Checkpoints {
  /** To be called behind each transaction, with the number of its rows. */
  afterWrite(rows: number): void;
  /** Resolves when the thread has let go of the file. */
  close(): Promise<void>;
}

/** Whether this is the source and not the build. */
const isSource = import.meta.url.endsWith(".ts");

/** Where the thread's program is: next to this file in the sources, next to every chunk in the build. */
const program = fileURLToPath(new URL(isSource ? "./checkpoint-worker.ts" : "./checkpoint-worker.js", import.meta.url));

const execArgv = isSource ? ["--no-warnings", "--experimental-strip-types"] : []; // Node 22.13 needs this flag

/** Transactions, and rows, behind which a checkpoint is due: some 8 MB of log. */
const transactionsPerCheckpoint = 500;
const rowsPerCheckpoint = 8_000;

/** Pages of the log at which a connection with a thread checkpoints by itself all the same: it does not keep up. */
const latestCheckpointPages = 32_000;

/**
 * Checkpoints in a thread of their own, which is started when the first is due and keeps no process alive. While there is none, or it
 * failed, the connection checkpoints by itself, as SQLite does: in the middle of a request.
 */
export function openCheckpoints(connection: Connection): Checkpoints {
  return connection.path === ":memory:" ? noCheckpoints : new ThreadCheckpoints(connection);
}

const noCheckpoints: Checkpoints = { afterWrite() {}, close: () => Promise.resolve() };

class ThreadCheckpoints implements Checkpoints {
  readonly #connection: Connection;
  #thread: Worker | undefined;
  #transactions = 0;
  #rows = 0;
  /** A checkpoint is under way, or there will be none any more. */
  #isBusy = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  afterWrite(rows: number): void {
    this.#transactions += 1;
    this.#rows += rows;
    if (this.#isBusy || (this.#transactions < transactionsPerCheckpoint && this.#rows < rowsPerCheckpoint)) return;
    this.#transactions = 0;
    this.#rows = 0;
    this.#isBusy = true;
    this.#thread ??= this.#start();
    this.#request("checkpoint");
  }

  async close(): Promise<void> {
    this.#isBusy = true;
    const thread = this.#thread;
    if (thread === undefined) return;
    const closed = new Promise((resolve) => thread.once("exit", resolve));
    thread.ref();
    this.#request("close");
    await closed;
  }

  #start(): Worker {
    const thread = new Worker(program, { execArgv, workerData: this.#connection.path });
    thread.unref();
    thread.on("message", () => {
      this.#connection.checkpointAt(latestCheckpointPages);
      this.#isBusy = false;
    });
    // The store works without a thread.
    thread.on("error", () => this.#connection.checkpointAt(ownCheckpointPages));
    thread.on("exit", () => {
      this.#isBusy = true;
      this.#thread = undefined;
    });
    return thread;
  }

  #request(request: CheckpointRequest): void {
    this.#thread?.postMessage(request);
  }
}
