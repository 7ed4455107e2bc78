import { openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { processTerminal } from "../../src/cli/process-terminal.ts";
import { runProgram } from "../../src/cli/run-program.ts";

/** `tollgate serve` itself: the key that it makes at its first start, the ledger in a file, and a line of its log for every request in another. */
const [, , upstream, file] = process.argv as [string, string, string, string];
const settings = `${file}.json`;
const prices = { "bench/*": { input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 } };
writeFileSync(settings, JSON.stringify({ providers: { bench: { baseUrl: `${upstream}/v1` } }, prices }));
const log = openSync(`${file}.log`, "w");
let told = "";

/** What it says when it listens names the port; the key is in a file beside the store. */
function listen(text: string): void {
  told += text;
  const port = /Listening on http:\/\/[^:]+:(\d+)/.exec(told)?.[1];
  if (port !== undefined) process.send?.({ port: Number(port), key: readFileSync(`${file}.first-key`, "utf8").trim() });
}

const terminal = {
  ...processTerminal(() => "bench"),
  env: {},
  folder: dirname(file),
  isOutputTty: false,
  out: (text: string) => void writeSync(log, text),
  err: listen,
};
process.on("disconnect", () => process.exit(0));
const code = await runProgram(["serve", "--config", settings, "--store", file, "--port", "0"], terminal, () => "");
process.stderr.write(told); // it ended by itself: who waits for it to listen is told why not
process.exit(code);
