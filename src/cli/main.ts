import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { processTerminal } from "./process-terminal.ts";
import { runProgram } from "./run-program.ts";

function readVersion(): string {
  const manifest = createRequire(import.meta.url).resolve("tollgate/package.json"); // its own, built or not
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}

const exitCode = await runProgram(process.argv.slice(2), processTerminal(readVersion), readVersion);
// What was written is written out before the end; sockets that are still open do not hold it up. What cannot be written is the
// terminal's to tell: its listener to the stream's error comes first, and ends the process unless the output is let go of.
const whenWritten = (next: () => void) => (error?: Error | null) => void (error ? setImmediate(next) : next());
process.stdout.write(
  "",
  whenWritten(() =>
    process.stderr.write(
      "",
      whenWritten(() => process.exit(exitCode)),
    ),
  ),
);
