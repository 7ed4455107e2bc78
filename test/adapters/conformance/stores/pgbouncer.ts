import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { vi } from "vitest";
import { installPackages } from "../../../support/packages.ts";
import type { PostgresServer } from "./postgres-server.ts";

const program = "/usr/sbin/pgbouncer";
const port = 6_432;

/** How PgBouncer lends the server's connections. */
export type Lending = "session" | "transaction";

/** A pool over a PgBouncer of its own before a server; `stop` ends both. Installed first where it is missing and this machine lets us. */
export async function startPgBouncer(server: PostgresServer, lending: Lending) {
  if (!existsSync(program)) installPackages("pgbouncer");
  const folder = mkdtempSync(join(tmpdir(), "tollgate-pgbouncer-"));
  chmodSync(folder, 0o777);
  const settings = join(folder, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `* = host=${server.folder} user=tollgate`,
    "[pgbouncer]",
    "listen_addr =",
    `listen_port = ${port}`,
    `unix_socket_dir = ${folder}`,
    "auth_type = any",
    `pool_mode = ${lending}`,
  ];
  writeFileSync(settings, lines.join("\n"));
  const bouncer =
    process.getuid?.() === 0 // as whom it does not run
      ? spawn("setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", program, settings], quiet)
      : spawn(program, [settings], quiet);
  const ended = new Promise((resolve) => bouncer.once("exit", resolve));
  const pool = new Pool({ host: folder, port, user: "tollgate", database: "postgres", max: 4 });
  pool.on("error", () => {}); // of connections that end with it
  await vi.waitFor(() => pool.query("SELECT 1"), { timeout: 20_000, interval: 50 });
  return {
    pool,
    async stop() {
      await pool.end();
      bouncer.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

const quiet = { stdio: "ignore", cwd: tmpdir() } as const;
