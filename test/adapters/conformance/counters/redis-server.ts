import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@redis/client";
import type { Certificate } from "../../../support/certificate.ts";
import { freePort } from "../../../support/free-port.ts";
import { installPackages } from "../../../support/packages.ts";

const commandClient = (path: string) => createClient({ socket: { path, tls: false } });
type Client = ReturnType<typeof commandClient>;

/** A Redis server of a suite's own, at a socket that nobody else knows and a free port, with nothing on disk. */
export interface RedisServer {
  readonly port: number;
  /** The path of its socket. */
  readonly path: string;
  /** A connection of its own. */
  connect(): Promise<Client>;
  readonly pid: number;
  /** Ends the process as a power cut would; clients go on looking for it. */
  kill(): Promise<void>;
  /** Ends process and clients. */
  stop(): Promise<void>;
}

/** What is asked of a server. */
interface RedisWish {
  /** A free one unless it is given. */
  readonly port?: number;
  /** What its port speaks TLS with. */
  readonly tls?: Certificate;
  /** Further settings, as on its command line. */
  readonly settings?: readonly string[];
}

/** Starts a server; installs it first where it is missing and this machine lets us. */
export async function startRedis({ port: wished, tls, settings = [] }: RedisWish = {}): Promise<RedisServer> {
  if (spawnSync("redis-server", ["--version"]).error) installPackages("redis-server");
  const folder = mkdtempSync(join(tmpdir(), "tollgate-redis-"));
  const path = join(folder, "redis.sock");
  const port = wished ?? (await freePort());
  const files = tls && [
    "--tls-cert-file",
    tls.certificate,
    "--tls-key-file",
    tls.key,
    "--tls-ca-cert-file",
    tls.authority,
  ];
  const ports = files
    ? ["--port", "0", "--tls-port", String(port), "--tls-auth-clients", "no", ...files]
    : ["--port", String(port)];
  const where = ["--bind", "127.0.0.1", ...ports, "--unixsocket", path];
  const server = spawn("redis-server", [...where, "--save", "", "--dir", folder, ...settings], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    server.stdout.on("data", (piece) => String(piece).includes("ready to accept connections") && resolve());
    ended.then(() => reject(new Error("redis-server ended before it could be used")));
  });
  const clients: Client[] = [];
  const kill = async () => {
    server.kill("SIGKILL");
    await ended;
  };
  return {
    ...{ port, path },
    pid: server.pid ?? 0,
    async connect() {
      const client = commandClient(path);
      client.on("error", () => {}); // of connections that a test cuts off; commands are told themselves
      clients.push(client);
      await client.connect();
      return client;
    },
    kill,
    async stop() {
      for (const client of clients) client.destroy();
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}
