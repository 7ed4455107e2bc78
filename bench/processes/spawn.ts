import { execFileSync, fork } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A process of the bench: where it listens and what it has burnt. */
export interface BenchProcess {
  readonly pid: number;
  readonly port: number;
  /** A virtual key of it, where it has any. */
  readonly key: string | undefined;
  /** An access token of its portal, where it has one. */
  readonly token: string | undefined;
  /** CPU microseconds of all its threads so far. */
  cpuMicros(): number;
  stop(): void;
}

/** What a process says of itself when it listens. */
interface Hello {
  readonly port: number;
  readonly key?: string | undefined;
  readonly token?: string | undefined;
}

const ownRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Starts `bench/processes/<name>.ts` and waits until it listens. */
export function startProcess(name: string, ...args: string[]): Promise<BenchProcess> {
  return startProcessOf({ root: ownRoot, name }, ...args);
}

/** Which program of the bench to run. */
interface Program {
  /** The folder of the checkout. */
  readonly root?: string;
  readonly name: string;
  /** Flags of Node and V8. */
  readonly flags?: readonly string[];
}

/** The same of another checkout, by its folder, or with flags. */
export async function startProcessOf(
  { root = ownRoot, name, flags = [] }: Program,
  ...args: string[]
): Promise<BenchProcess> {
  const execArgv = ["--no-warnings", ...flags];
  const child = fork(join(root, "bench/processes", `${name}.ts`), args, { execArgv });
  const { port, key, token } = await new Promise<Hello>((resolve, reject) => {
    child.once("message", (message) => resolve(message as Hello));
    child.once("exit", (code) => reject(new Error(`bench process ${name} ended with ${code} before it listened`)));
  });
  const pid = child.pid as number;
  return { pid, port, key, token, cpuMicros: () => cpuMicrosOf(pid), stop: () => child.disconnect() };
}

/** Has all threads of a process run on one core (Linux, with util-linux). */
export function pin(pid: number, core: number): void {
  execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)], { stdio: "ignore" });
}

/** CPU time of a process in microseconds, from the scheduler's own count of every thread (Linux). */
export function cpuMicrosOf(pid: number): number {
  let nanos = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    nanos += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]);
  }
  return nanos / 1000;
}
