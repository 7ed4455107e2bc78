import { type SpawnSyncOptionsWithStringEncoding, type SpawnSyncReturns, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import type { Certificate } from "../../../support/certificate.ts";
import { installPackages } from "../../../support/packages.ts";

/** A PostgreSQL server of a suite's own, at a socket that nobody else knows. */
export interface PostgresServer {
  /** Of the socket. */
  readonly folder: string;
  /** A pool of its own. */
  pool(max?: number, database?: string): Pool;
  /** Runs SQL beside all pools; the first row. */
  ask(text: string): Promise<Record<string, unknown> | undefined>;
  /** Ends the server as a crash would; pools go on looking for it. */
  kill(): void;
  start(): void;
  /** Starts a replica that streams from it, in the state that it has now. */
  startReplica(): Pick<PostgresServer, "folder" | "pool" | "kill" | "start" | "stop">;
  /** Ends server and pools. */
  stop(): Promise<void>;
}

const programs = "/usr/lib/postgresql";

/** Where a server listens beside its socket. */
interface Door {
  readonly port: number;
  readonly tls: Certificate;
}

/** Starts a server; installs it first where it is missing and this machine lets us. */
export function startPostgres(door?: Door): PostgresServer {
  if (!existsSync(programs)) installPackages("postgresql");
  const version = readdirSync(programs).sort((one, other) => Number(other) - Number(one))[0] ?? "";
  const folder = mkdtempSync(join(tmpdir(), "tollgate-postgres-"));
  chmodSync(folder, 0o777);
  const run = (program: string, ...args: string[]) => asPostgres(join(programs, version, "bin", program), args);
  const initialize = (data: string) =>
    run("initdb", "--pgdata", data, "--auth=trust", "--username=tollgate", "--encoding=UTF8", "--no-sync");
  return startOver({ folder, run, initialize, door });
}

/** How a server is started. */
interface ServerPlan {
  /** Of the socket and the data. */
  readonly folder: string;
  readonly run: (program: string, ...args: string[]) => void;
  /** Makes the data. */
  readonly initialize: (data: string) => void;
  readonly door?: Door | undefined;
}

function startOver({ folder, run, initialize, door }: ServerPlan): PostgresServer {
  const data = join(folder, "data");
  initialize(data);
  const settings = `${settingsOf(door)} -c unix_socket_directories=${folder} -c fsync=off -c max_connections=200`;
  const start = () => run("pg_ctl", "--pgdata", data, "--wait", "--log", join(folder, "log"), "-o", settings, "start");
  const kill = () => run("pg_ctl", "--pgdata", data, "--wait", "--mode=immediate", "stop");
  const isUp = () => existsSync(join(data, "postmaster.pid"));
  start();
  const pools: Pool[] = [];
  const pool = (max = 4, database = "postgres") => {
    const made = new Pool({ host: folder, port: door?.port ?? 5_432, user: "tollgate", database, max });
    pools.push(made);
    return made;
  };
  const own = pool(1);
  own.on("error", () => {}); // of a server that a test kills
  return {
    folder,
    pool,
    ask: async (text) => (await own.query(text)).rows[0],
    kill,
    start,
    startReplica() {
      const near = mkdtempSync(join(tmpdir(), "tollgate-replica-"));
      chmodSync(near, 0o777);
      const copy = (to: string) =>
        run(
          "pg_basebackup",
          "--pgdata",
          to,
          "--host",
          folder,
          "--username=tollgate",
          "--write-recovery-conf",
          "--no-sync",
        );
      return startOver({ folder: near, run, initialize: copy });
    },
    async stop() {
      await Promise.all(pools.map((each) => each.end()));
      if (isUp()) kill();
      rmSync(folder, { recursive: true });
    },
  };
}

function settingsOf(door: Door | undefined): string {
  if (!door) return "-c listen_addresses=";
  const { port, tls } = door;
  chmodSync(tls.key, 0o600);
  if (process.getuid?.() === 0) must(spawnSync("chown", ["postgres", tls.key], { encoding: "utf8" }));
  return `-c listen_addresses=127.0.0.1 -c port=${port} -c ssl=on -c ssl_cert_file=${tls.certificate} -c ssl_key_file=${tls.key}`;
}

/** PostgreSQL does not run as root. */
function asPostgres(program: string, args: readonly string[]): void {
  const options: SpawnSyncOptionsWithStringEncoding = {
    encoding: "utf8",
    cwd: tmpdir(),
    stdio: ["ignore", "ignore", "pipe"],
  };
  const isRoot = process.getuid?.() === 0;
  must(
    isRoot
      ? spawnSync("runuser", ["-u", "postgres", "--", program, ...args], options)
      : spawnSync(program, args, options),
  );
}

function must({ status, stderr, error }: SpawnSyncReturns<string>): void {
  if (status !== 0) throw new Error(`PostgreSQL cannot be installed or started here: ${error ?? stderr.slice(-500)}`);
}
