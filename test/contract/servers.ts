import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The servers of `shared/servers`, beside the checkout unless `TOLLGATE_SERVERS` says where. */
const folder = process.env.TOLLGATE_SERVERS ?? fileURLToPath(new URL("../../../shared/servers", import.meta.url));

/** What a server prints for its clients: `S3_ENDPOINT`, `KUBECONFIG`, … */
export type ServerSettings = Readonly<Record<string, string>>;

/** Why no server can be started here; nothing when they can. */
export function reasonWithoutServers(): string | undefined {
  return existsSync(folder) ? undefined : `needs ${folder}, which is not there`;
}

/**
 * Installs a server where it is missing, starts it unless it runs, says on stderr how long that took, and gives what it prints.
 * Its own scripts keep two starts apart.
 */
export async function startServer(name: string, ...options: string[]): Promise<ServerSettings> {
  const started = performance.now();
  await runScript(`${name}/install.sh`, []);
  const installed = performance.now();
  const printed = await runScript(`${name}/up.sh`, options);
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
  const times = `installed in ${seconds(started, installed)}, up in ${seconds(installed, performance.now())}`;
  process.stderr.write(`${[name, ...options].join(" ")}: ${times}\n`);
  return Object.fromEntries(
    [...printed.matchAll(/^export (\w+)=(.*)$/gm)].map(([, key = "", value = ""]) => [key, value]),
  );
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
