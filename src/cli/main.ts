import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { processTerminal } from "./process-terminal.ts";
import { runProgram } from "./program.ts";

function readVersion(): string {
  const manifest = createRequire(import.meta.url).resolve("tollgate/package.json"); // its own, built or not
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}

const exitCode = await runProgram(process.argv.slice(2), processTerminal(), readVersion);
// What was written is written out before the end; sockets that are still open do not hold it up. What cannot be written is the
// terminal's to tell: its listener to the stream's error ends the process.
const unlessLost = (next: () => void) => (error?: Error | null) => {
  if (!error) next();
};
process.stdout.write(
  "",
  unlessLost(() => process.stderr.write("", () => process.exit(exitCode))),
);
