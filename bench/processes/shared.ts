import { createServer } from "node:http";
import { createClient } from "@redis/client";
import { Pool } from "pg";
import { redisCounters } from "../../adapters/counters/redis/index.ts";
import { local } from "../../adapters/providers/local/index.ts";
import { postgresStore } from "../../adapters/stores/postgres/index.ts";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import { createEngine, createListener } from "../../src/index.ts";

/**
 * A gateway over the echo with two keys. Arguments: a file of its own, or the folder of PostgreSQL's socket and the address of Redis that
 * it shares. It says both keys with a comma between them.
 */
const [, , place, redis] = process.argv as [string, string, string, string | undefined];
const client = (url: string) => {
  const made = createClient({ url });
  made.on("error", () => {}); // the server goes before this process does
  return made.connect();
};
const shared = async (url: string) => ({
  store: postgresStore({ pool: new Pool({ host: place, user: "tollgate", database: "postgres", max: 10 }) }),
  counters: redisCounters({ client: await client(url) }),
});
const engine = createEngine({
  providers: [local()],
  ...(redis === undefined ? { store: sqliteStore(place) } : await shared(redis)),
});
const provider_configs = [{ provider: "local", allowed_models: ["*"] }];
const keys = await Promise.all(
  ["one", "other"].map((name) =>
    engine.keys.create({ name: `${name} of ${process.pid}`, provider_configs, max_in_flight: 1_000 }),
  ),
);
const server = createServer(createListener({ engine }));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const key = keys.map(({ value }) => value).join(",");
  if (typeof address === "object" && address) process.send?.({ port: address.port, key });
});
process.on("disconnect", () => process.exit(0));
