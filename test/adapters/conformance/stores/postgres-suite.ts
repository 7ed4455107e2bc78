import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type PostgresPool, postgresStore } from "../../../../adapters/stores/postgres/index.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

/** A server for a file of tests, which this starts before them and ends after them. */
export interface PostgresSuite {
  readonly server: PostgresServer;
  /** A schema that nobody has used. */
  newSchema(): string;
  /** A store over a pool of its own, closed with the test. */
  openStore(schema?: string, pool?: PostgresPool): Store;
}

/** To be called once in a file of tests. */
export function postgresSuite(): PostgresSuite {
  let started: PostgresServer | undefined;
  beforeAll(() => {
    started = startPostgres();
  }, 300_000);
  afterAll(() => started?.stop());
  const server = () => started ?? fail();
  let schemas = 0;
  const newSchema = () => `fresh_${schemas++}`;
  return {
    get server() {
      return server();
    },
    newSchema,
    openStore(schema = newSchema(), pool: PostgresPool = server().pool()) {
      const store = postgresStore({ pool, schema });
      onTestFinished(() => store.close());
      return store;
    },
  };
}

function fail(): never {
  throw new Error("PostgreSQL is started before the first test");
}
