import { writeSync } from "node:fs";
import type { ProcessFacts } from "../portal/process-facts.ts";
import { scrubberOf, secretsIn } from "../server/terminal/redaction.ts";
import type { Terminal } from "../server/terminal/terminal.ts";

/** Milliseconds for which a server of this machine may keep a start waiting. */
const probeMs = 300;

/** The terminal of this process. It redacts the secrets of the environment in everything that goes to stderr. */
export function processTerminal(version: () => string): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const scrub = scrubberOf(secretsIn(env));
  const onLostOutput = watchOutput(process);
  process.removeAllListeners("warning").on("warning", (warning) => void stderr.write(describeWarning(warning)));
  return {
    env,
    folder: workingFolder(),
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(scrub(text)),
    isInteractive: stdin.isTTY === true && stdout.isTTY === true,
    isOutputTty: stdout.isTTY === true,
    isErrorTty: stderr.isTTY === true,
    async readInput() {
      stdin.setEncoding("utf8");
      let text = "";
      for await (const piece of stdin) text += piece;
      return text;
    },
    readLine,
    onSignal(listener) {
      process.on("SIGINT", listener).on("SIGTERM", listener);
      return () => void process.off("SIGINT", listener).off("SIGTERM", listener);
    },
    onReload(listener) {
      process.on("SIGHUP", listener);
      return () => void process.off("SIGHUP", listener);
    },
    requestReload,
    pid: process.pid,
    processFacts: () => describeProcess(version()),
    onLostOutput,
    now: Date.now,
    probe: async (url) => (await import("../server/providers/probe.ts")).probeFor(probeMs)(url),
  };
}

function describeProcess(version: string): ProcessFacts {
  const { rss, heapUsed: heap_used, heapTotal: heap_total } = process.memoryUsage();
  const started_at = Math.round(performance.timeOrigin);
  return { version, pid: process.pid, node: process.version, started_at, memory: { rss, heap_used, heap_total } };
}

function requestReload(pid: number): boolean {
  try {
    return process.kill(pid, "SIGHUP");
  } catch {
    return false; // ESRCH, EPERM
  }
}

/** Watches the output; the returned function registers a listener that learns of a loss once, in place of ending the process. */
function watchOutput({ stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr">): Terminal["onLostOutput"] {
  let onLost: ((reason: string) => void) | undefined;
  let isReported = false;
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error) => {
      if (onLost === undefined) endOnBrokenOutput(error, stream === stderr);
      if (stream === stderr || isReported) return;
      isReported = true;
      onLost?.(error.message);
    });
  }
  return (listener) => {
    onLost = listener;
  };
}

/**
 * The reader of the output has seen enough (`tollgate models | head -1`). A closed stderr is no reason to end a program, nor to
 * report success for what fails. Output that is lost otherwise, to a full disk, is reported.
 */
function endOnBrokenOutput(error: NodeJS.ErrnoException, isNotice: boolean): void {
  if (error.code !== "EPIPE") fail(`The output cannot be written: ${error.message}`);
  if (!isNotice) process.exit(0);
}

/** Somebody may have removed the folder meanwhile. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException; // seam: what Node throws
    return fail(`The working folder cannot be used (${code}): change into another one.`);
  }
}

/** Prints the reason and ends the process, for failures before a terminal exists. */
function fail(sentence: string): never {
  try {
    writeSync(2, `tollgate: ${sentence}\n`);
  } catch {
    // stderr is on the same full disk
  }
  process.exit(1);
}

/** Formats a warning as one line; drops warnings about the loading speed of a configuration file. */
function describeWarning({ name, message, code }: Error & { readonly code?: string }): string {
  return code === "MODULE_TYPELESS_PACKAGE_JSON" ? "" : `${name}: ${message}\n`;
}

async function readLine(prompt: string): Promise<string | undefined> {
  const { createInterface } = await import("node:readline");
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise((resolve) => {
    reader.on("SIGINT", () => reader.close());
    reader.on("close", () => resolve(undefined));
    reader.question(prompt, (line) => {
      resolve(line);
      reader.close();
    });
  });
}
