import { accessSync, constants } from "node:fs";

/** Folders of tests lie in memory where the machine has such a place: SQLite waits for the disk after each write, which no rule is about. */
const inMemory = "/dev/shm";

try {
  accessSync(inMemory, constants.W_OK);
  process.env.TMPDIR = inMemory;
} catch {
  // the system's own folder then
}
