import { cpus, release } from "node:os";

/** Every bench, one after the other; each prints one table. */
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, Linux ${release()}, ${new Date().toISOString().slice(0, 10)}`,
);
for (const bench of ["in-process", "http", "stream", "governed", "cache", "vectors", "portal", "start"])
  await import(`./${bench}.ts`);
process.exit(0);
