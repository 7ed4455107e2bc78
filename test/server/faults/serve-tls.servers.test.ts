import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type RedisServer, startRedis } from "../../adapters/conformance/counters/redis-server.ts";
import { type PostgresServer, startPostgres } from "../../adapters/conformance/stores/postgres-server.ts";
import { endAll, everythingPrinted, start } from "../../e2e/command-line.ts";
import { serveFolder } from "../../e2e/governed-serve.ts";
import { buildIfNeeded } from "../../e2e/packed.ts";
import { type Certificate, makeCertificate } from "../../support/certificate.ts";
import { freePort } from "../../support/free-port.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-tls-"));
const env = { TOLLGATE_SECRET: "a-secret-of-several-gateways" };
let tls: Certificate;
let database: string;
let postgres: PostgresServer;
let redis: RedisServer;
beforeAll(async () => {
  buildIfNeeded();
  tls = makeCertificate();
  redis = await startRedis({ tls });
  const port = await freePort();
  postgres = startPostgres({ port, tls });
  database = `postgres://tollgate@localhost:${port}/postgres`;
}, 300_000);
afterAll(async () => {
  await endAll();
  await postgres.stop();
  await redis.stop();
  rmSync(tls.folder, { recursive: true });
  rmSync(folder, { recursive: true });
});

const configure = (...lines: string[]) =>
  writeFileSync(join(folder, "tollgate.config.yaml"), `discover: false\n${lines.join("\n")}\n`);

/** The line of a store that is reached. */
const over = () => `store: ${database}?sslmode=verify-full&sslrootcert=${tls.authority}`;

async function refused(...lines: string[]): Promise<string> {
  configure(...lines);
  const run = start(["key", "create", "one", "--allow", "*"], { folder, env });
  expect([await run.ended, run.err()]).toEqual([1, expect.any(String)]);
  return run.err();
}

describe("servers behind TLS", () => {
  it("are reached when their authority is known, by the address and by Node", async () => {
    const server = `rediss://localhost:${redis.port}`;
    configure(
      `store: ${database}?sslmode=require&sslrootcert=${tls.authority}`,
      `counters: ${server}/1`,
      `cache: { answers: "${server}/2" }`,
    );
    const gateway = await serveFolder(folder, { ...env, NODE_EXTRA_CA_CERTS: tls.authority });
    const inUse =
      "SELECT bool_and(s.ssl) AS ssl FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.application_name = 'tollgate'";
    expect(await postgres.ask(inUse)).toEqual({ ssl: true });
    const ask = () =>
      fetch(`${gateway.address}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${gateway.firstKey}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "local/echo", messages: [{ role: "user", content: "hello" }] }),
      });
    expect((await ask()).status).toBe(200);
    expect(await (await ask()).json()).toMatchObject({ extra_fields: { cache_debug: { cache_hit: true } } });
    gateway.process.kill("SIGTERM");
    expect(await gateway.ended).toBe(0);
    expect(gateway.err()).not.toMatch(/warning/i);
  });

  it("are refused when their authority is unknown, with the way to make it known", async () => {
    const way = "; name the file with its authority's certificate in ";
    expect(await refused(`store: ${database}?sslmode=require`)).toContain(
      `${way}\`sslrootcert\` of the address, or in NODE_EXTRA_CA_CERTS`,
    );
    expect(await refused(over(), `counters: rediss://localhost:${redis.port}`)).toContain(`${way}NODE_EXTRA_CA_CERTS`);
  });

  it("and others are told apart", async () => {
    const plain = await startRedis();
    onTestFinished(() => plain.stop());
    const store = over();
    expect(await refused(store, `counters: redis://localhost:${redis.port}`)).toContain(
      "of a server that wants TLS, the address begins with `rediss://`",
    );
    expect(await refused(store, `counters: rediss://localhost:${plain.port}`)).toContain(
      "no answer within 5 s over TLS; of a server without it",
    );
  });
});

it("nothing that was printed holds the secret", () => {
  expect(everythingPrinted()).not.toContain(env.TOLLGATE_SECRET);
});
