import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import type { RedisServer } from "../../adapters/conformance/counters/redis-server.ts";
import type { PostgresServer } from "../../adapters/conformance/stores/postgres-server.ts";
import type { Fleet } from "./gateways.ts";

/** What a fault is made in. */
export interface FaultyServers {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly fleet: Fleet;
  /** Starts another Redis server at the port of the one that was killed. */
  replaceRedis(): Promise<void>;
}

/** Every process of a server, whose children serve its connections. */
function treeOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  return [pid, ...children];
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // one of its children has ended meanwhile
    }
  }
}

function postmasterOf({ folder }: PostgresServer): number {
  return Number(readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n")[0]);
}

async function control(redis: RedisServer, ...command: string[]): Promise<void> {
  const client = await redis.connect();
  await client.sendCommand(command);
}

/** Each fault: its name, the statuses that clients may see meanwhile (0: no connection), and what makes and ends it. */
export const faults: readonly (readonly [
  name: string,
  allowed: readonly number[],
  make: (servers: FaultyServers) => Promise<void>,
])[] = [
  [
    "the database crashes and is started again",
    [200, 503],
    async ({ postgres }) => {
      postgres.kill();
      await after(500);
      postgres.start();
    },
  ],
  [
    "the database freezes for two seconds",
    [200, 503],
    async ({ postgres }) => {
      const pids = treeOf(postmasterOf(postgres));
      signal(pids, "SIGSTOP");
      await after(2_000);
      signal(pids, "SIGCONT");
    },
  ],
  [
    "the database becomes a standby, and connections stay open",
    [200, 503],
    async ({ postgres }) => {
      const operator = postgres.pool(1);
      await operator.query("ALTER DATABASE postgres SET default_transaction_read_only = on");
      await operator.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
      );
      await after(1_000);
      await operator.query("SET default_transaction_read_only = off");
      await operator.query("ALTER DATABASE postgres RESET default_transaction_read_only");
    },
  ],
  [
    "Redis freezes for two seconds",
    [200, 503],
    async ({ redis }) => {
      signal([redis.pid], "SIGSTOP");
      await after(2_000);
      signal([redis.pid], "SIGCONT");
    },
  ],
  [
    "Redis becomes a replica, and connections stay open",
    [200, 503],
    async ({ redis }) => {
      await control(redis, "REPLICAOF", "127.0.0.1", "1");
      await after(1_000);
      await control(redis, "REPLICAOF", "NO", "ONE");
    },
  ],
  [
    "Redis loses everything",
    [200, 503],
    async ({ redis }) => {
      await control(redis, "FLUSHALL");
    },
  ],
  [
    "Redis crashes and comes back empty",
    [200, 503],
    async ({ redis, replaceRedis }) => {
      await redis.kill();
      await after(500);
      await replaceRedis();
    },
  ],
  [
    "Redis has no memory left",
    [200, 503],
    async ({ redis }) => {
      await control(redis, "CONFIG", "SET", "maxmemory", "1");
      await after(1_000);
      await control(redis, "CONFIG", "SET", "maxmemory", "0");
    },
  ],
  [
    "a gateway has few file descriptors",
    [200, 0],
    async ({ fleet }) => {
      const pid = String(fleet.gateways[0]?.process.pid);
      const open = execFileSync("ls", [`/proc/${pid}/fd`], { encoding: "utf8" }).split("\n").length;
      execFileSync("prlimit", [`--pid=${pid}`, `--nofile=${open}:`]);
      const burst = Array.from({ length: 40 }, () => fleet.ask(0, fleet.firstKey, { connection: "close" }));
      await Promise.race([Promise.allSettled(burst), after(2_000)]);
      execFileSync("prlimit", [`--pid=${pid}`, "--nofile=4096:"]);
      await Promise.allSettled(burst);
    },
  ],
];
