import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { endAll, start } from "../e2e/command-line.ts";
import { askLab, configOf, type Served, serveFolder, startVendor } from "../e2e/governed-serve.ts";
import { buildIfNeeded } from "../e2e/packed.ts";
import { postgresSuite } from "./postgres-suite.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-workers-"));
const processFile = join(folder, "gateway.pid");
const file = join(folder, "tollgate.config.yaml");
const postgres = postgresSuite();
let env: Record<string, string> = { LAB_SECRET: "sk-lab-0123456789", TOLLGATE_SECRET: "the same for all workers" };
let redis: RedisServer;
let vendor: Awaited<ReturnType<typeof startVendor>>;
let gateway: Served;
let shared = "";

/** The processes that the supervisor started. */
function workerPids(): readonly number[] {
  const pid = gateway.process.pid;
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

async function run(...line: string[]) {
  const { ended, out, err } = start(line, { folder, env });
  return { exitCode: await ended, out: out(), err: err() };
}

/** Waits until there are two processes again; the new one may still be starting. */
async function untilTwo(): Promise<void> {
  await vi.waitFor(() => expect(workerPids()).toHaveLength(2), { timeout: 30_000, interval: 50 });
}

beforeAll(async () => {
  buildIfNeeded();
  redis = await startRedis();
  vendor = await startVendor();
  env = {
    ...env,
    DATABASE: `postgres://tollgate@/postgres?host=${postgres.server.folder}&schema=${postgres.newSchema()}`,
  };
  shared = `store: env:DATABASE\ncounters: redis://127.0.0.1:${redis.port}/1\nmetrics: { port: 0 }\n`;
  writeFileSync(file, configOf(vendor.url, shared));
  gateway = await serveFolder(folder, env, "--workers", "2", "--pid-file", processFile);
  await untilTwo();
}, 300_000);
afterAll(async () => {
  endAll();
  vendor.close();
  await redis.stop();
  rmSync(folder, { recursive: true });
});

describe("a gateway of two workers over one database and one Redis server", () => {
  it("prints one start and makes one first key, which both take", async () => {
    expect(gateway.err().match(/Listening on /g)).toHaveLength(1);
    expect(gateway.err()).toContain("Starting 2 workers.");
    const answers = await Promise.all(Array.from({ length: 8 }, () => askLab(gateway.address, gateway.firstKey ?? "")));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it("spends a hard budget to the last call that fits, whichever worker answers", async () => {
    const made = await run("key", "create", "spender", "--allow", "lab/*", "--budget", "0.01/1d", "--hard");
    const [key = ""] = /sk-tg-\w+/.exec(made.out) ?? [];
    const headers = { connection: "close" }; // a connection for each call, so that both workers have some
    const answers = await Promise.all(Array.from({ length: 30 }, () => askLab(gateway.address, key, headers)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(27).fill(402)]);
  });

  it("has one page of metrics, whose samples tell the worker", async () => {
    const [, page = ""] = /Metrics of all workers for Prometheus are at (\S+)\.\n/.exec(gateway.err()) ?? [];
    await vi.waitFor(async () => {
      const text = await (await fetch(page)).text();
      expect(text).toMatch(/\{worker="1"/);
      expect(text).toMatch(/\{worker="2"/);
      const described = text.split("\n").filter((line) => line.startsWith("# TYPE"));
      expect(new Set(described).size).toBe(described.length);
    });
  });

  it("takes a configuration over in every worker, or in none", async () => {
    const price = { old: "0.0001", next: "0.0002" };
    const next = configOf(vendor.url, shared).replace(price.old, price.next);
    writeFileSync(file, next);
    expect(await run("reload", "--pid-file", processFile)).toMatchObject({ exitCode: 0 });
    writeFileSync(file, "providers: { lab: { baseUrl: 7 } }\n");
    const refused = await run("reload", "--pid-file", processFile);
    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining("The former configuration stays.") });
    writeFileSync(file, next);
    const costs = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const answer = await askLab(gateway.address, gateway.firstKey ?? "", { connection: "close" });
        return ((await answer.json()) as { usage?: { cost?: { total_cost?: number } } }).usage?.cost?.total_cost;
      }),
    );
    expect(new Set(costs)).toEqual(new Set([0.00601]));
  });

  it("replaces a worker that is killed, and goes on answering meanwhile", async () => {
    const [victim = 0] = workerPids();
    process.kill(victim, "SIGKILL");
    await gateway.until(new RegExp(`Worker \\d \\(process ${victim}\\) ended by SIGKILL; another one is started`));
    const answer = await askLab(gateway.address, gateway.firstKey ?? "", { connection: "close" });
    expect(answer.status).toBe(200);
    await untilTwo();
    expect(workerPids()).not.toContain(victim);
  });

  it("ends all workers with itself", async () => {
    const pids = workerPids();
    gateway.process.kill("SIGTERM");
    expect(await gateway.ended).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(
      gateway
        .out()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)).length,
    ).toBeGreaterThan(0);
  });
});

it("refuses several workers over a file, and says what they need", async () => {
  const { exitCode, err } = await run("serve", "--workers", "2", "--store", "tollgate.db", "--port", "0");
  expect(exitCode).toBe(1);
  expect(err).toContain("--workers 2 needs a store that several processes can write");
});
