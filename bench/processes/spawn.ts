import { fork } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A process of the bench: where it listens and what it has burnt. */
export interface BenchProcess {
  readonly port: number;
  /** CPU microseconds of all its threads so far. */
  cpuMicros(): number;
  stop(): void;
}

/** Starts `bench/processes/<name>.ts` and waits until it listens. */
export async function startProcess(name: string, ...args: string[]): Promise<BenchProcess> {
  const child = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), args, { execArgv: ["--no-warnings"] });
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port));
    child.once("exit", (code) => reject(new Error(`bench process ${name} ended with ${code} before it listened`)));
  });
  return { port, cpuMicros: () => cpuMicrosOf(child.pid as number), stop: () => child.disconnect() };
}

/** CPU time of a process in microseconds, from the scheduler's own count of every thread (Linux). */
export function cpuMicrosOf(pid: number): number {
  let nanos = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    nanos += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]);
  }
  return nanos / 1000;
}
