import { writeSync } from "node:fs";
import { scrubberOf, secretsIn } from "./scrub.ts";
import type { Terminal } from "./terminal.ts";

/** Milliseconds for which a server of this machine may keep a start waiting. */
const probeMs = 300;

/** The terminal that this process was started in. What goes to stderr holds no secret of the environment, whoever wrote it. */
export function processTerminal(): Terminal {
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
    isSeen: stdout.isTTY === true,
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
    onLostOutput,
    now: Date.now,
    probe: async (url) => (await import("./providers/probe.ts")).probeFor(probeMs)(url),
  };
}

/** Watches over the output; the returned function has its loss told once, to whoever goes on without it, in place of ending the process. */
function watchOutput({ stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr">): Terminal["onLostOutput"] {
  let onLost: ((reason: string) => void) | undefined;
  let isTold = false;
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error) => {
      if (onLost === undefined) endOnBrokenOutput(error, stream === stderr);
      if (stream === stderr || isTold) return;
      isTold = true;
      onLost?.(error.message);
    });
  }
  return (listener) => {
    onLost = listener;
  };
}

/**
 * Whoever read the output has seen enough (`tollgate models | head -1`); who read what a program tells of itself is no reason to end it,
 * nor to call well done what fails. What cannot be written else, to a full disk, is lost, and said.
 */
function endOnBrokenOutput(error: NodeJS.ErrnoException, isAside: boolean): void {
  if (error.code !== "EPIPE") fail(`The output cannot be written: ${error.message}`);
  if (!isAside) process.exit(0);
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

/** Says why and ends the process, where there is no terminal to say it through. */
function fail(sentence: string): never {
  try {
    writeSync(2, `tollgate: ${sentence}\n`);
  } catch {
    // stderr is on the same full disk
  }
  process.exit(1);
}

/** One line of a warning; none of one that only tells about the speed of loading a configuration file. */
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
