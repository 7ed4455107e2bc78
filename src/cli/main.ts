import { readVersion } from "../server/version.ts";
import { processTerminal } from "./process-terminal.ts";
import { runProgram } from "./run-program.ts";

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
