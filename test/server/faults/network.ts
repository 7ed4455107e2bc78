import { execFileSync, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import type { RedisServer } from "../../adapters/conformance/counters/redis-server.ts";
import type { PostgresServer } from "../../adapters/conformance/stores/postgres-server.ts";
import { installPackages } from "../../support/packages.ts";

/** A network between a gateway and its servers that can be cut. */
export interface FarNetwork {
  /** Addresses of both servers beyond it, as a configuration has them. */
  readonly env: { readonly DATABASE: string; readonly REDIS: string };
  /** From now on every packet is lost, and neither end learns of it. */
  cut(): void;
  mend(): void;
  stop(): void;
}

/** What is beyond the network. */
interface FarServers {
  readonly postgres: PostgresServer;
  readonly schema: string;
  readonly redis: RedisServer;
}

const [ports, near, far] = [{ postgres: 5_432, redis: 6_379 }, "10.77.0.1", "10.77.0.2"];

/** Passes connections at the far end on to the sockets of the servers, which are files that every namespace sees. */
const relay = `
const { connect, createServer } = require("node:net");
let open = 0;
for (const [port, path] of JSON.parse(process.argv[1]))
  createServer((near) => {
    const end = connect(path);
    near.pipe(end).pipe(near);
    near.on("error", () => end.destroy());
    end.on("error", () => near.destroy());
  }).listen(port, "${far}", () => ++open === 2 && console.log("open"));
`;

function ip(line: string): void {
  execFileSync("ip", line.split(" "), { stdio: ["ignore", "ignore", "pipe"] });
}

/** Makes a network namespace with a pair of interfaces, one end in it (Linux, as root). One at a time. */
export async function startFarNetwork({ postgres, schema, redis }: FarServers): Promise<FarNetwork> {
  if (spawnSync("ip", ["-V"]).error) installPackages("iproute2");
  const [name, inside, outside] = [`tollgate-${process.pid}`, "tg-far", "tg-near"];
  ip(`netns add ${name}`);
  ip(`link add ${outside} type veth peer name ${inside} netns ${name}`);
  ip(`addr add ${near}/24 dev ${outside}`);
  ip(`link set ${outside} up`);
  ip(`-n ${name} addr add ${far}/24 dev ${inside}`);
  ip(`-n ${name} link set ${inside} up`);
  const sockets = [
    [ports.postgres, join(postgres.folder, ".s.PGSQL.5432")],
    [ports.redis, redis.path],
  ];
  const command = ["netns", "exec", name, process.execPath, "-e", relay, JSON.stringify(sockets)];
  const relaying = spawn("ip", command, { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((resolve, reject) => {
    relaying.stdout.once("data", () => resolve());
    relaying.once("exit", () => reject(new Error("The relay in the namespace ended before it could be used.")));
  });
  return {
    env: {
      DATABASE: `postgres://tollgate@${far}:${ports.postgres}/postgres?schema=${schema}`,
      REDIS: `redis://${far}:${ports.redis}/1`,
    },
    cut: () => ip(`-n ${name} link set ${inside} down`),
    mend: () => ip(`-n ${name} link set ${inside} up`),
    stop() {
      relaying.kill();
      ip(`netns del ${name}`);
    },
  };
}
