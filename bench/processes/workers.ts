import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BenchProcess, cpuMicrosOf } from "./spawn.ts";

const program = fileURLToPath(new URL("../../dist/bin.js", import.meta.url));

/** How `tollgate serve` is started. */
interface WorkersPlace {
  /** Created for it. */
  readonly folder: string;
  /** The vendor's. */
  readonly origin: string;
  readonly workers: number;
  /** `DATABASE` and `REDIS`, which it then shares; a store file without. */
  readonly env?: Record<string, string>;
}

/** A gateway of one or several processes, whose CPU is that of all of them. */
export interface ServedProcess extends BenchProcess {
  end(): Promise<void>;
}

/** Starts the built program with a key of a hard budget, and waits until all workers listen. */
export async function serveWorkers({ folder, origin, workers, env = {} }: WorkersPlace): Promise<ServedProcess> {
  mkdirSync(folder);
  const prices = { "bench/*": { input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 } };
  const shared = env.DATABASE === undefined ? {} : { store: "env:DATABASE", counters: "env:REDIS" };
  const providers = { bench: { baseUrl: `${origin}/v1`, apiKey: "none" } };
  writeFileSync(join(folder, "tollgate.config.json"), JSON.stringify({ providers, prices, ...shared }));
  const settings = { cwd: folder, env: { ...process.env, ...env, TOLLGATE_SECRET: "a secret of the bench" } };
  const child = spawn(process.execPath, [program, "serve", "--port", "0", "--workers", String(workers)], {
    ...settings,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const port = await untilListening(child, workers);
  const line = ["key", "create", "bench", "--allow", "*/*", "--budget", "1000000/1d", "--hard"];
  const key = /sk-tg-\w+/.exec(
    execFileSync(process.execPath, [program, ...line], { ...settings, encoding: "utf8" }),
  )?.[0];
  const pid = child.pid as number;
  const pids = () => [
    pid,
    ...readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  ];
  return {
    ...{ pid, port, key, token: undefined },
    cpuMicros: () => pids().reduce((sum, each) => sum + cpuMicrosOf(each), 0),
    stop: () => void child.kill(),
    end: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill();
      }),
  };
}

/** Resolves with the port once each worker has said that it listens. */
function untilListening(child: ChildProcess, workers: number): Promise<number> {
  let [log, said, listening] = ["", "", 0];
  return new Promise((resolve, reject) => {
    child.stderr?.on("data", (data) => {
      said += data;
    });
    child.stdout?.on("data", (data) => {
      if (listening >= workers) return; // the log of requests
      log += data;
      listening = log.match(/"msg":"listening"/g)?.length ?? 0;
      if (listening >= workers) resolve(Number(/"port":(\d+)/.exec(log)?.[1]));
    });
    child.once("exit", (code) => reject(new Error(`tollgate serve ended with ${code}: ${said}`)));
  });
}
