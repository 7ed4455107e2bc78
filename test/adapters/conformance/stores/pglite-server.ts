import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { Pool } from "pg";

/** A PostgreSQL server with pgvector, as WebAssembly in this process: Debian has no package of pgvector for its PostgreSQL 15. */
export interface PgliteServer {
  /** `postgres://…` */
  readonly address: string;
  /** A pool of its own. */
  pool(): Pool;
  /** Ends the server and its pools. */
  stop(): Promise<void>;
}

/** Starts a server in memory at a free port. */
export async function startPglite({ hasVectors = true } = {}): Promise<PgliteServer> {
  const db = await PGlite.create(hasVectors ? { extensions: { vector } } : {});
  const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0, maxConnections: 200 });
  await server.start();
  const address = `postgres://postgres@${server.getServerConn()}/postgres`;
  const pools: Pool[] = [];
  return {
    address,
    pool() {
      const pool = new Pool({ connectionString: address, max: 4 });
      pool.on("error", () => {}); // of a server that a test stops
      pools.push(pool);
      return pool;
    },
    async stop() {
      await server.stop();
      await db.close();
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}
