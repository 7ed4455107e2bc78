import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { makeFirstKey } from "../../../src/server/first-key.ts";
import { openStore } from "../../../src/server/store/store.ts";
import { type RedisServer, startRedis } from "../../adapters/conformance/counters/redis-server.ts";
import { postgresSuite } from "../../adapters/conformance/stores/postgres-suite.ts";
import { endAll, everythingPrinted, start } from "../../e2e/command-line.ts";
import { askLab, configOf, type Served, serveFolder, startVendor } from "../../e2e/governed-serve.ts";
import { buildIfNeeded } from "../../e2e/packed.ts";

const password = "canary-password-of-a-database";
const folder = mkdtempSync(join(tmpdir(), "tollgate-shared-"));
const env = { LAB_SECRET: "sk-lab-0123456789", TOLLGATE_SECRET: "the same for all gateways" };
const postgres = postgresSuite();
let redis: RedisServer;
let vendor: Awaited<ReturnType<typeof startVendor>>;

beforeAll(async () => {
  buildIfNeeded();
  redis = await startRedis();
  vendor = await startVendor();
}, 300_000);
afterAll(async () => {
  endAll();
  vendor.close();
  await redis.stop();
  rmSync(folder, { recursive: true });
});

function addressOf(schema: string): string {
  return `postgres://tollgate:${password}@/postgres?host=${postgres.server.folder}&schema=${schema}`;
}

/** Runs a command beside the gateways. */
async function run(line: readonly string[], variables: Record<string, string> = env) {
  const { ended, out, err } = start(line, { folder, env: variables });
  return { exitCode: await ended, out: out(), err: err() };
}

describe("gateways of one database and one Redis server", () => {
  let gateways: Served[] = [];
  let variables: Record<string, string> = env;
  let spender = "";

  const ask = (gateway: number, key: string, headers = {}) => askLab(gateways[gateway]?.address ?? "", key, headers);

  beforeAll(async () => {
    const server = `redis://127.0.0.1:${redis.port}`;
    const shared = ["store: env:DATABASE", `counters: ${server}/1`, `cache: { answers: "${server}/2", mode: off }`];
    writeFileSync(join(folder, "tollgate.config.yaml"), configOf(vendor.url, shared.join("\n")));
    variables = { ...env, DATABASE: addressOf(postgres.newSchema()) };
    gateways = await Promise.all([0, 1, 2].map(() => serveFolder(folder, variables)));
  });

  it("make one first key and one first token, however many start at once", async () => {
    const keys = gateways.flatMap(({ firstKey }) => firstKey ?? []);
    const tokens = gateways.filter((gateway) => gateway.err().includes(".first-token,"));
    expect([keys.length, tokens.length]).toEqual([1, 1]);
    expect(JSON.parse((await run(["key", "list", "--json"], variables)).out)).toHaveLength(1);
    for (const gateway of [0, 1, 2]) expect((await ask(gateway, keys[0] ?? "")).status).toBe(200);
  });

  it("spend a hard budget together, to the last call that fits", async () => {
    const made = await run(
      ["key", "create", "spender", "--allow", "lab/*", "--budget", "0.01/1d", "--hard"],
      variables,
    );
    [spender = ""] = /sk-tg-\w+/.exec(made.out) ?? [];
    const answers = await Promise.all(Array.from({ length: 30 }, (_, call) => ask(call % 3, spender)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(3).fill(200), ...Array(27).fill(402)]);
  });

  it("are seen by the commands, which tell what all of them counted and wrote", async () => {
    const { out } = await run(["key", "show", "spender"], variables);
    expect(out).toMatch(/\$0\.01 per 1d \(hard\) +\$0\.00903 +\$0\.00097/);
    const usage = await run(["usage", "--by", "key"], variables);
    expect(usage.out).toMatch(/^ +spender +30 +27 +30 +0 +90 +\$0\.00903$/m);
  });

  it("give an answer that another one has kept", async () => {
    const made = await run(["key", "create", "asker", "--allow", "lab/*"], variables);
    const [key = ""] = /sk-tg-\w+/.exec(made.out) ?? [];
    const costs: unknown[] = [];
    for (const gateway of [0, 1, 2]) {
      const answer = (await (await ask(gateway, key, { "x-tg-cache": "on" })).json()) as {
        usage: { cost: { total_cost: number } };
      };
      costs.push(answer.usage.cost.total_cost);
    }
    expect(costs).toEqual([0.00301, 0, 0]);
  });

  it("refuse a key at once that is switched off beside them", async () => {
    expect((await run(["key", "disable", "spender"], variables)).exitCode).toBe(0);
    for (const gateway of [0, 1, 2]) expect((await ask(gateway, spender)).status).toBe(403);
  });

  it("end in good order", async () => {
    for (const { process } of gateways) process.kill("SIGTERM");
    expect(await Promise.all(gateways.map(({ ended }) => ended))).toEqual([0, 0, 0]);
  });
});

describe("a gateway of a database", () => {
  const inMemory = () => writeFileSync(join(folder, "tollgate.config.yaml"), configOf(vendor.url));

  it("that counts in its own memory is alone there", async () => {
    inMemory();
    const address = addressOf(postgres.newSchema());
    const first = await serveFolder(folder, env, "--store", address);
    const { exitCode, err } = await run(["serve", "--port", "0", "--store", address]);
    expect([exitCode, err]).toEqual([1, expect.stringContaining("is in use by another gateway")]);
    expect(err).toContain("`counters`");
    first.process.kill("SIGTERM");
    expect(await first.ended).toBe(0);
  });

  it("is not begun without the secret that all of them need, and nothing is made", async () => {
    inMemory();
    const schema = postgres.newSchema();
    const { exitCode, err } = await run(["serve", "--port", "0", "--store", addressOf(schema)], {
      LAB_SECRET: env.LAB_SECRET,
    });
    expect([exitCode, err]).toEqual([1, expect.stringContaining("TOLLGATE_SECRET, which is not set")]);
    expect(await postgres.server.ask(`SELECT 1 FROM pg_namespace WHERE nspname = '${schema}'`)).toBeUndefined();
  });
});

it("of two gateways that both find no key, one makes it and the other waits for it", async () => {
  const choice = addressOf(postgres.newSchema());
  const open = () => openStore({ folder, choice, createIfMissing: true });
  const [one, other] = [await open(), await open()];
  const made: string[] = [];
  let finish = () => {};
  const create = vi.fn(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return { value: `key ${made.push("first")}` };
  });
  const keys = { list: async () => ({ items: made }), create } as never;
  const first = makeFirstKey(keys, one.store.records);
  await vi.waitFor(() => expect(create).toHaveBeenCalled());
  const looks = vi.spyOn(other.store.records, "get");
  const second = makeFirstKey(keys, other.store.records);
  await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(1)); // it looks again and again whether its turn has come
  finish();
  expect(await Promise.all([first, second])).toEqual(["key 1", undefined]);
  expect(create).toHaveBeenCalledOnce();
  await Promise.all([one.store.close(), other.store.close()]);
});

describe("a command", () => {
  it("does not make a schema to look into, only to put a key there", async () => {
    const schema = postgres.newSchema();
    const missing = await run(["key", "list", "--store", addressOf(schema)]);
    expect([missing.exitCode, missing.err]).toEqual([1, expect.stringContaining(`it has no schema ${schema}`)]);
    expect((await run(["key", "create", "one", "--allow", "*", "--store", addressOf(schema)])).exitCode).toBe(0);
    expect((await run(["key", "list", "--store", addressOf(schema)])).out).toContain("one");
  });

  it("tells which address cannot be used, and why", async () => {
    const nowhere = await run(["key", "list", "--store", `postgres://me:${password}@127.0.0.1:1/x`]);
    expect(nowhere).toMatchObject({ exitCode: 1, out: "" });
    expect(nowhere.err).toMatch(
      /^tollgate: `store` names postgres:\/\/me@127\.0\.0\.1:1\/x, which cannot be used: .*ECONN/,
    );
    const other = addressOf("x").replace("/postgres?", "/nope?");
    expect((await run(["key", "list", "--store", other])).err).toMatch(
      /@\/nope\?schema=x, .*: database "nope" does not/,
    );
    writeFileSync(join(folder, "a.db"), "");
    const settings = `store: a.db\ncounters: redis://:${password}@127.0.0.1:1/4\n`;
    writeFileSync(join(folder, "gone.yaml"), settings);
    expect((await run(["key", "list", "--config", "gone.yaml"])).err).toMatch(
      /`counters` names redis:\/\/127\.0\.0\.1:1\/4, which cannot be used: .*ECONNREFUSED/,
    );
  });
});

it("no password was printed, nor written to a log", () => {
  expect(everythingPrinted()).toContain("draining");
  expect(everythingPrinted()).not.toContain(password);
});
