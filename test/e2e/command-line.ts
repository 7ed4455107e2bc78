import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "./packed.ts";

/** Looks like a key; whatever a run prints must not hold it. */
export const canary = "sk-canary-0123456789abcdef-do-not-print-me";

/** A run of the built command line. */
export interface Run {
  readonly process: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  /** How often something came on stdout. */
  readonly pieces: () => number;
  /** Resolves with the match once stderr or stdout matches; rejects when the program ends first. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

/** How a run is started. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly input?: string;
}

const runs: Run[] = [];

/** Starts `tollgate <line>` with a nearly empty environment. */
export function start(line: readonly string[], { env = {}, folder, input }: RunOptions): Run {
  const child = spawn(process.execPath, [join(root, "dist/bin.js"), ...line], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, CANARY_API_KEY: canary, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const written = { out: "", err: "", pieces: 0 };
  const listeners = new Set<() => void>();
  const hear = (stream: "out" | "err") => (piece: Buffer) => {
    written[stream] += piece.toString();
    if (stream === "out") written.pieces += 1;
    for (const listener of listeners) listener();
  };
  child.stdout.on("data", hear("out"));
  child.stderr.on("data", hear("err"));
  child.stdin.on("error", () => {}); // a program that reads nothing may be gone already
  child.stdin.end(input);
  const ended = once(child, "close").then(([code]) => code as number | null);
  const run: Run = {
    process: child,
    out: () => written.out,
    err: () => written.err,
    pieces: () => written.pieces,
    ended,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(`${written.err}\n${written.out}`);
          if (match === null) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        ended.then((code) => reject(new Error(`ended with ${code}:\n${written.err}${written.out}`)));
        look();
      }),
  };
  runs.push(run);
  return run;
}

/** Everything that all runs printed. */
export function everythingPrinted(): string {
  return runs.map((run) => run.out() + run.err()).join("\n");
}

/** Ends the runs that are left. */
export function endAll(): void {
  for (const { process: child } of runs) if (child.exitCode === null) child.kill("SIGKILL");
}
