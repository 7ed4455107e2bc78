import { spawnSync } from "node:child_process";
import { cpus, release } from "node:os";
import { fileURLToPath } from "node:url";

/** Every bench, one after the other, each in a process of its own, since what one leaves in memory slows the next; each prints its tables. */
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, Linux ${release()}, ${new Date().toISOString().slice(0, 10)}`,
);
for (const bench of ["in-process", "http", "stream", "governed", "cache", "vectors", "portal", "start", "cold-start"]) {
  const path = fileURLToPath(new URL(`./${bench}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, [...process.execArgv, path], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
