import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type RedisServer, startRedis } from "../../adapters/conformance/counters/redis-server.ts";
import { postgresSuite } from "../../adapters/conformance/stores/postgres-suite.ts";
import { endAll } from "../../e2e/command-line.ts";
import { buildIfNeeded } from "../../e2e/packed.ts";
import { type ClientReport, startClients } from "./clients.ts";
import { clockAhead } from "./clock.ts";
import { faults } from "./faults.ts";
import { costOfCall, type Fleet, startFleet } from "./gateways.ts";
import { startFarNetwork } from "./network.ts";
import { startNginx } from "./nginx.ts";

const postgres = postgresSuite();
let redis: RedisServer;
let fleet: Fleet;
let stopNginx = () => {};

beforeAll(async () => {
  buildIfNeeded();
  redis = await startRedis();
  fleet = await startFleet({
    postgres: postgres.server,
    schema: postgres.newSchema(),
    redisPort: redis.port,
    count: 3,
  });
}, 300_000);
afterAll(async () => {
  stopNginx();
  endAll();
  fleet.close();
  await redis.stop();
});

const replaceRedis = async () => {
  redis = await startRedis({ port: redis.port });
};

/** Has clients ask all gateways, makes a fault under way, ends it, and waits until all is well again. */
async function during(key: string, fault: () => Promise<void>): Promise<ClientReport> {
  const clients = startClients({ count: 6, pauseMs: 20, ask: (client) => fleet.ask(client % 3, key) });
  await vi.waitFor(() => expect(clients.whole()).toBeGreaterThan(30), { timeout: 30_000 });
  await fault();
  const seen = clients.whole();
  await vi.waitFor(() => expect(clients.whole()).toBeGreaterThan(seen + 60), { timeout: 60_000, interval: 50 });
  return clients.stop();
}

/** Ends a gateway and starts it again in its place, with variables that it alone has. */
async function restart(number: number, own: Record<string, string> = {}): Promise<void> {
  fleet.gateways[number]?.process.kill("SIGTERM");
  await fleet.gateways[number]?.ended;
  await fleet.serve(number, own);
}

/** Waits until ledger, counters and the vendor's log say the same, and says what that is. */
async function expectBooks(name: string, { whole }: ClientReport): Promise<void> {
  await vi.waitFor(
    async () => {
      const books = await fleet.books(name);
      expect(books).toEqual({ ledger: books.vendor * costOfCall, counters: books.ledger, vendor: books.vendor });
      expect(books.vendor).toBeGreaterThanOrEqual(whole); // a client that hung up was not answered whole
    },
    { timeout: 60_000, interval: 500 },
  );
}

describe("three gateways over one database and one Redis server, when", () => {
  it.each(faults)("%s: clients see an answer or a clear refusal, and the books agree", async (name, allowed, make) => {
    const label = name.replaceAll(/\W+/g, "-");
    const key = await fleet.createKey(label);
    const report = await during(key, () => make({ postgres: postgres.server, redis, fleet, replaceRedis }));
    const others = [...report.statuses.keys()].filter((status) => !allowed.includes(status));
    expect({ others, samples: others.length > 0 ? report.samples : [] }).toEqual({ others: [], samples: [] });
    const refusals = report.samples.filter((sample) => sample.startsWith("503"));
    for (const refusal of refusals) expect(refusal).toMatch(/store_unavailable|counters|overloaded/);
    if (name.includes("descriptors")) return; // other calls than the key's were answered
    await expectBooks(label, report);
  });

  it("a gateway is killed and started again: what it had under way is told, and nothing is billed twice", async () => {
    const key = await fleet.createKey("killed");
    const report = await during(key, async () => {
      fleet.gateways[1]?.process.kill("SIGKILL");
      await pause(300);
      await fleet.serve(1);
    });
    expect([...report.statuses.keys()].filter((status) => ![200, 0].includes(status))).toEqual([]);
    const { ledger, counters, vendor } = await fleet.books("killed");
    expect(ledger).toBeGreaterThanOrEqual(report.whole * costOfCall);
    expect(ledger).toBeLessThanOrEqual(vendor * costOfCall);
    expect(counters).toBeLessThanOrEqual(vendor * costOfCall);
  });

  it("one is cut off from both servers: it refuses, the others go on, and the books agree", async () => {
    const schema = fleet.schema;
    const network = await startFarNetwork({ postgres: postgres.server, schema, redis });
    try {
      await restart(2, network.env);
      const key = await fleet.createKey("cut-off");
      const whole = [0, 0, 0];
      const refused = new Set<number>();
      const ask = async (client: number) => {
        const answer = await fleet.ask(client % 3, key);
        if (answer.status === 200) whole[client % 3] = (whole[client % 3] ?? 0) + 1;
        else refused.add(client % 3);
        return answer;
      };
      const clients = startClients({ count: 6, pauseMs: 20, ask });
      await vi.waitFor(() => expect(Math.min(...whole)).toBeGreaterThan(10), { timeout: 30_000 });
      network.cut();
      const before = [...whole];
      await vi.waitFor(() => expect([...refused]).toEqual([2]), { timeout: 60_000 });
      expect(whole[0]).toBeGreaterThan(before[0] ?? 0);
      expect(whole[1]).toBeGreaterThan(before[1] ?? 0);
      network.mend();
      const cut = whole[2] ?? 0;
      await vi.waitFor(() => expect(whole[2]).toBeGreaterThan(cut + 20), { timeout: 60_000 });
      const report = await clients.stop();
      expect([...report.statuses.keys()].sort()).toEqual([200, 503]);
      await expectBooks("cut-off", report);
    } finally {
      await restart(2);
      network.stop();
    }
  });

  it.each([300, -300])(
    "one has a clock that is %i s wrong: every call is answered, and the books agree",
    async (seconds) => {
      await restart(1, clockAhead(seconds));
      try {
        const label = `clock${seconds}`;
        const key = await fleet.createKey(label);
        const report = await during(key, async () => {});
        expect([...report.statuses.keys()]).toEqual([200]);
        await expectBooks(label, report);
      } finally {
        await restart(1);
      }
    },
  );

  it("each is restarted in turn behind nginx: no request fails", async () => {
    const nginx = await startNginx(fleet);
    stopNginx = nginx.stop;
    const key = await fleet.createKey("rolling");
    const address = `http://127.0.0.1:${nginx.port}`;
    const ask = () =>
      fetch(`${address}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: "lab/m", messages: [{ role: "user", content: "How are you?" }] }),
      });
    const clients = startClients({ count: 8, pauseMs: 30, ask });
    await vi.waitFor(() => expect(clients.whole()).toBeGreaterThan(50), { timeout: 30_000 });
    for (const number of [0, 1, 2]) {
      fleet.gateways[number]?.process.kill("SIGTERM");
      expect(await fleet.gateways[number]?.ended).toBe(0);
      await fleet.serve(number);
    }
    const report = await clients.stop();
    expect({ statuses: [...report.statuses.keys()], samples: report.samples }).toEqual({
      statuses: [200],
      samples: [],
    });
    await expectBooks("rolling", report);
  });

  it("is reloaded fifty times, half of them with a broken file: no request fails, and prices are old or new", async () => {
    const key = await fleet.createKey("reloaded");
    const file = join(fleet.folder, "tollgate.config.yaml");
    const good = readFileSync(file, "utf8");
    const costs = new Set<number>();
    const ask = async (client: number) => {
      const answer = await fleet.ask(client % 3, key);
      const { usage } = (await answer.clone().json()) as { usage?: { cost?: { total_cost?: number } } };
      costs.add(usage?.cost?.total_cost ?? Number.NaN);
      return answer;
    };
    const clients = startClients({ count: 6, pauseMs: 20, ask });
    const codes: (number | null)[] = [];
    for (let turn = 0; turn < 50; turn++) {
      const price = turn % 4 === 0 ? good : good.replace("0.0001,", "0.0002,");
      writeFileSync(file, turn % 2 === 0 ? price : `${price}\nproviders: broken`);
      const number = turn % 3;
      if (turn % 10 === 0) codes.push((await fleet.run("reload", "--pid-file", `gateway-${number}.pid`)).exitCode);
      else fleet.gateways[number]?.process.kill("SIGHUP");
      await pause(40);
    }
    writeFileSync(file, good);
    for (const number of [0, 1, 2])
      codes.push((await fleet.run("reload", "--pid-file", `gateway-${number}.pid`)).exitCode);
    const report = await clients.stop();
    expect([...report.statuses.keys()]).toEqual([200]);
    expect([...costs].sort()).toEqual([0.00301, 0.00601]);
    expect(codes.slice(-3)).toEqual([0, 0, 0]);
    for (const gateway of fleet.gateways) expect(gateway.err()).toContain("The former configuration stays.");
  });
});
