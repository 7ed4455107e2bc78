import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { openFile } from "../connection.ts";
import type { CheckpointRequest } from "./checkpoints.ts";

// Checkpoints of a store file in a thread of their own, started by openCheckpoints(): copying pages and waiting for the disk takes
// milliseconds, in which the thread of the gateway could answer no request.

/** Pages of the log from which on it is begun anew, which makes a writer wait for a moment: under load there is none without a writer. */
const restartPages = 8_192;

/** Milliseconds to wait for a writer then. */
const restartWaitMs = 20;

function serve(port: MessagePort, path: string): void {
  const database = openFile(path);
  port.on("message", (request: CheckpointRequest) => {
    if (request === "close") {
      database.close();
      port.close();
      return;
    }
    database.exec("PRAGMA busy_timeout = 0");
    const pages = Number(database.prepare("PRAGMA wal_checkpoint(PASSIVE)").get()?.log);
    if (pages >= restartPages) {
      database.exec(`PRAGMA busy_timeout = ${restartWaitMs}`);
      database.prepare("PRAGMA wal_checkpoint(RESTART)").get();
    }
    port.postMessage("done");
  });
}

if (parentPort) serve(parentPort, String(workerData));
