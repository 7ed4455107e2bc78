import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { freePort } from "../../../support/free-port.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

/** Several Redis servers that keep one set of data. */
interface RedisGroup {
  /** The address that a configuration would have. */
  readonly address: string;
  readonly servers: readonly RedisServer[];
  stop(): Promise<void>;
}

const inTime = { timeout: 30_000, interval: 100 };

/** A primary with a replica, and three sentinels that promote the replica half a second after the primary fell silent. */
export async function startSentinels(): Promise<RedisGroup> {
  const primary = await startRedis();
  const replica = await startRedis({ settings: ["--replicaof", "127.0.0.1", String(primary.port)] });
  const folder = mkdtempSync(join(tmpdir(), "tollgate-sentinels-"));
  const sentinels = await Promise.all(
    [0, 1, 2].map((number) => startSentinel(join(folder, `${number}.conf`), primary)),
  );
  const about = await replica.connect();
  await vi.waitFor(async () => {
    const info = await about.info("replication");
    if (!info.includes("master_link_status:up")) throw new Error("the replica has no data yet");
  }, inTime);
  await vi.waitFor(() => {
    for (const { port } of sentinels) {
      const { stdout } = spawnSync("redis-cli", ["-p", String(port), "sentinel", "master", "main"], {
        encoding: "utf8",
      });
      const lines = stdout.split("\n");
      const countOf = (name: string) => Number(lines[lines.indexOf(name) + 1]);
      if (countOf("num-other-sentinels") < 2 || countOf("num-slaves") < 1)
        throw new Error("the sentinels do not know each other yet");
    }
  }, inTime);
  return {
    address: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",")}/main`,
    servers: [primary, replica],
    async stop() {
      await Promise.all(sentinels.map(({ stop }) => stop()));
      await Promise.all([primary.stop(), replica.stop()]);
      rmSync(folder, { recursive: true });
    },
  };
}

async function startSentinel(path: string, primary: RedisServer) {
  const port = await freePort();
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `sentinel monitor main 127.0.0.1 ${primary.port} 2`,
    "sentinel down-after-milliseconds main 500",
    "sentinel failover-timeout main 3000",
  ];
  writeFileSync(path, `${lines.join("\n")}\n`);
  const server = spawn("redis-server", [path, "--sentinel"], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  return {
    port,
    async stop() {
      server.kill("SIGKILL");
      await ended;
    },
  };
}

/** A cluster of three primaries with a replica each, which takes over a second after its primary fell silent. */
export async function startCluster(): Promise<RedisGroup> {
  const servers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const port = await freeClusterPort();
      return startRedis({ port, settings: ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"] });
    }),
  );
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`);
  const create = ["--cluster", "create", ...hosts, "--cluster-replicas", "1", "--cluster-yes"];
  const made = spawnSync("redis-cli", create, { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`redis-cli could not make the cluster: ${made.stdout}${made.stderr}`);
  await vi.waitFor(async () => {
    for (const { port } of servers) {
      const { stdout } = spawnSync("redis-cli", ["-p", String(port), "cluster", "info"], { encoding: "utf8" });
      if (!stdout.includes("cluster_state:ok")) throw new Error("the cluster is not whole yet");
    }
  }, inTime);
  return {
    address: `redis+cluster://${hosts.slice(0, 3).join(",")}`,
    servers,
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}

/** A port whose neighbour 10,000 above, at which nodes of a cluster talk to each other, exists. */
async function freeClusterPort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port < 55_000) return port;
  }
}
