import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type RedisServer, startRedis } from "../../adapters/conformance/counters/redis-server.ts";
import { postgresSuite } from "../../adapters/conformance/stores/postgres-suite.ts";
import { endAll, start } from "../../e2e/command-line.ts";
import { askLab, configOf, type Served, serveFolder, startVendor } from "../../e2e/governed-serve.ts";
import { buildIfNeeded } from "../../e2e/packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-known-keys-"));
const postgres = postgresSuite();
let redis: RedisServer;
let vendor: Awaited<ReturnType<typeof startVendor>>;
let env: Record<string, string> = {};
let gateway: Served;

beforeAll(async () => {
  buildIfNeeded();
  redis = await startRedis();
  vendor = await startVendor();
  const settings = [
    "store: env:DATABASE",
    `counters: redis://127.0.0.1:${redis.port}/1`,
    "storeUnavailable: known_keys",
  ];
  writeFileSync(join(folder, "tollgate.config.yaml"), configOf(vendor.url, `${settings.join("\n")}\n`));
  const database = `postgres://tollgate@/postgres?host=${postgres.server.folder}&schema=${postgres.newSchema()}`;
  env = { LAB_SECRET: "sk-lab-0123456789", TOLLGATE_SECRET: "the same for all gateways", DATABASE: database };
  gateway = await serveFolder(folder, env);
}, 300_000);
afterAll(async () => {
  endAll();
  vendor.close();
  await redis.stop();
  rmSync(folder, { recursive: true });
});

async function run(...line: string[]) {
  const { ended, out, err } = start(line, { folder, env });
  return { exitCode: await ended, out: out(), err: err() };
}

async function createKey(name: string, ...limits: string[]): Promise<string> {
  const { out, err } = await run("key", "create", name, "--allow", "lab/*", ...limits);
  const [key] = /sk-tg-\w+/.exec(out) ?? [];
  if (key === undefined) throw new Error(`no key: ${out}${err}`);
  return key;
}

/** Requests of a key by the ledger. */
async function requestsOf(name: string): Promise<number> {
  const usage = JSON.parse((await run("usage", "--key", name, "--json")).out);
  return usage.reduce((sum: number, row: { requests: number }) => sum + row.requests, 0);
}

const ask = (key: string) => askLab(gateway.address, key);

it("known keys go on while PostgreSQL is away, and a killed gateway's rows are in the ledger once, after the next start", async () => {
  const known = await createKey("known", "--budget", "0.02/1d", "--hard"); // six calls
  const unknown = await createKey("unknown");
  expect((await ask(known)).status).toBe(200);
  postgres.server.kill();
  const answers: number[] = [];
  for (let call = 0; call < 7; call++) answers.push((await ask(known)).status);
  expect(answers).toEqual([200, 200, 200, 200, 200, 402, 402]); // the budget is counted on
  const refused = await ask(unknown);
  expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: "store_unavailable" } }]);
  expect(existsSync(join(folder, "tollgate.waiting.db"))).toBe(true);
  const ready = await fetch(`${gateway.address}/health/ready`);
  expect(await ready.json()).toMatchObject({
    status: "ready",
    checks: { store: { status: "failed" }, ledger: { status: "ok", waiting: 7, on_disk: 7, lost: 0 } },
  });
  gateway.process.kill("SIGKILL");
  await gateway.ended;
  postgres.server.start();
  gateway = await serveFolder(folder, env);
  await vi.waitFor(async () => expect(await requestsOf("known")).toBe(8), { timeout: 30_000, interval: 200 });
  expect((await ask(unknown)).status).toBe(200);
  expect(await requestsOf("known")).toBe(8);
});

it("rows that waited are handed over while the gateway lives, and it says when the outage began and was over", async () => {
  const key = await createKey("patient");
  expect((await ask(key)).status).toBe(200);
  postgres.server.kill();
  for (let call = 0; call < 5; call++) expect((await ask(key)).status).toBe(200);
  await vi.waitFor(
    () => expect(gateway.out()).toMatch(/cannot be written just now: rows of the ledger wait in a file/),
    {
      timeout: 15_000,
    },
  );
  postgres.server.start();
  await vi.waitFor(async () => expect(await requestsOf("patient")).toBe(6), { timeout: 30_000, interval: 200 });
  await vi.waitFor(
    async () => {
      await ask(key);
      expect(gateway.out()).toContain("the outage of the store is over");
    },
    { timeout: 30_000, interval: 500 },
  );
});

it("a key that was switched off before the outage stays off", async () => {
  const key = await createKey("off");
  expect((await ask(key)).status).toBe(200);
  await run("key", "disable", "off");
  const before = (await ask(key)).status;
  postgres.server.kill();
  const during = (await ask(key)).status;
  postgres.server.start();
  expect([before, during]).toEqual([403, 403]);
});
