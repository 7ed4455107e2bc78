import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { finishInterruptedInstalls } from "../../support/packages.ts";

/** The servers of `shared/servers`, beside the checkout unless `TOLLGATE_SERVERS` says where. */
const folder = process.env.TOLLGATE_SERVERS ?? fileURLToPath(new URL("../../../../shared/servers", import.meta.url));

/** What a server prints for its clients: `S3_ENDPOINT`, `KUBECONFIG`, … */
export type ServerSettings = Readonly<Record<string, string>>;

/** A server that a suite uses. */
export interface UsedServer {
  /** Why it cannot be started here; nothing when it can. */
  readonly missing: string | undefined;
  /** What it prints, once the suite's tests run. */
  readonly settings: ServerSettings;
}

/**
 * Installs a server where it is missing and starts it unless it runs, before the tests of the file. Says on stderr how long that took.
 * In CI (`CI=true`) what was started here is stopped after them. The server's own scripts keep two starts apart.
 */
export function useServer(name: string, ...options: string[]): UsedServer {
  const missing = existsSync(folder) ? undefined : `needs ${folder}, which is not there`;
  const used = { missing, settings: {} as ServerSettings };
  let isOurs = false;
  beforeAll(async () => {
    if (missing !== undefined) return;
    isOurs = !isRunning(options.includes("--keystone-only") ? "keystone" : name);
    used.settings = await startServer(name, options);
  }, 900_000); // the first start of Kubernetes builds a kube-apiserver
  afterAll(async () => {
    if (isOurs && process.env.CI === "true") await runScript(`${name}/down.sh`, lane(options));
  });
  return used;
}

/** The part of a server that install and down know as well. */
function lane(options: readonly string[]): string[] {
  return options.filter((option) => option === "--keystone-only");
}

/** What a server keeps, and where the ids of its processes are. */
function stateOf(name: string): string {
  return join(process.env.SERVERS_HOME ?? join(tmpdir(), "tollgate-servers"), name);
}

function isRunning(name: string): boolean {
  const folderOfIds = join(stateOf(name), "run");
  return existsSync(folderOfIds) && readdirSync(folderOfIds).some((file) => file.endsWith(".pid"));
}

async function startServer(name: string, options: readonly string[]): Promise<ServerSettings> {
  const started = performance.now();
  finishInterruptedInstalls();
  await runScript(`${name}/install.sh`, lane(options));
  const installed = performance.now();
  const printed = await runScript(`${name}/up.sh`, options);
  if (lane(options).length > 0) letReadersBe(join(stateOf("keystone"), "keystone.db"));
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
  const times = `installed in ${seconds(started, installed)}, up in ${seconds(installed, performance.now())}`;
  process.stderr.write(`${[name, ...options].join(" ")}: ${times}\n`);
  return Object.fromEntries(
    [...printed.matchAll(/^export (\w+)=(.*)$/gm)].map(([, key = "", value = ""]) => [key, value]),
  );
}

/**
 * Keystone's threads keep a read of its SQLite file open for seconds after they have answered. Without a write-ahead log each write of
 * another thread waits for it, and is given up after five seconds with the connection closed ("database is locked" in its log).
 */
function letReadersBe(file: string): void {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    const { journal_mode } = database.prepare("PRAGMA journal_mode = WAL").get() as { journal_mode: string };
    if (journal_mode !== "wal") throw new Error(`${file}: the journal is still ${journal_mode}`);
  } finally {
    database.close();
  }
}

function runScript(path: string, options: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(`${folder}/${path}`, options, { stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    let progress = "";
    child.stdout.on("data", (piece) => {
      printed += piece;
    });
    child.stderr.on("data", (piece) => {
      progress += piece;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${path} ended with ${code}:\n${progress.slice(-2_000)}`));
    });
  });
}
