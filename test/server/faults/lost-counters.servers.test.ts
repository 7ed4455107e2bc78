import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { redisCounters } from "../../../adapters/counters/redis/index.ts";
import type { CounterValue, RebuildSource } from "../../../src/engine/ports/counters.ts";
import { hold, reserve } from "../../../src/testing/conformance/counters/probe.ts";
import { type RedisServer, startRedis } from "../../adapters/conformance/counters/redis-server.ts";
import { postgresSuite } from "../../adapters/conformance/stores/postgres-suite.ts";
import { endAll, start } from "../../e2e/command-line.ts";
import { askLab, configOf, type Served, serveFolder, startVendor } from "../../e2e/governed-serve.ts";
import { buildIfNeeded } from "../../e2e/packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-lost-"));
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

/** What a key may spend, and what fits into it. */
const budget = 0.3;
const mostServed = 99;

/** What a ledger says, once `tell` is called: `used` of every counter that is asked for. */
function slowLedger() {
  let tell: (used: number) => void = () => {};
  const asked = vi.fn(
    (counters: Parameters<RebuildSource["valuesOf"]>[0]) =>
      new Promise<readonly CounterValue[]>((resolve) => {
        tell = (used) => resolve(counters.map(({ counter, opens }) => ({ counter, ...opens, used })));
      }),
  );
  const source: RebuildSource = { valuesOf: asked, hasEntries: async () => false };
  return { source, asked, tell: (used: number) => tell(used) };
}

it("what was read of the ledger before the loss sets no counter after it", async () => {
  const client = await redis.connect();
  const processOf = (ledger: ReturnType<typeof slowLedger>) => {
    const counters = redisCounters({ time: "caller", client, prefix: "{stale}:" });
    counters.rebuildFrom?.(ledger.source);
    return counters;
  };
  const [before, after] = [slowLedger(), slowLedger()];
  const held = [hold({ amount: 20, limit: 100 })];
  const first = reserve(processOf(before), held);
  await vi.waitFor(() => expect(before.asked).toHaveBeenCalled());
  await client.del(await client.keys("{stale}:*"));
  const second = reserve(processOf(after), held);
  await vi.waitFor(() => expect(after.asked).toHaveBeenCalled());
  before.tell(0);
  await vi.waitFor(() => expect(before.asked).toHaveBeenCalledTimes(2));
  after.tell(90);
  expect(await second).toMatchObject({ kind: "shortfall", left: 10 });
  before.tell(90);
  expect(await first).toMatchObject({ kind: "shortfall", left: 10 });
});

it("who comes to an empty store while the ledger has bills waits for those who may have calls under way", async () => {
  const client = await redis.connect();
  const beginningOf = async (hasEntries: boolean, prefix: string) => {
    const counters = redisCounters({ client, prefix });
    counters.rebuildFrom?.({ valuesOf: async () => [], hasEntries: async () => hasEntries });
    reserve(counters, []).catch(() => {}); // waits for three seconds where somebody may have counted
    return await vi.waitFor(async () => {
      const lost = await client.hGet(`${prefix}beginning`, "lost");
      expect(lost).not.toBeNull();
      return lost;
    });
  };
  expect([await beginningOf(true, "{used}:"), await beginningOf(false, "{unused}:")]).toEqual(["1", "0"]);
});

describe("gateways whose Redis server is killed under load and comes back empty", () => {
  let gateways: Served[] = [];
  let env: Record<string, string> = {};

  const run = async (...line: string[]) => {
    const { ended, out, err } = start(line, { folder, env });
    expect([await ended, err()]).toEqual([0, expect.anything()]);
    return out();
  };

  beforeAll(async () => {
    const shared = `store: env:DATABASE\ncounters: redis://127.0.0.1:${redis.port}/1`;
    writeFileSync(join(folder, "tollgate.config.yaml"), configOf(vendor.url, shared));
    const address = `postgres://tollgate@/postgres?host=${postgres.server.folder}&schema=${postgres.newSchema()}`;
    env = { LAB_SECRET: "sk-lab-0123456789", TOLLGATE_SECRET: "the same for all gateways", DATABASE: address };
    gateways = await Promise.all([0, 1, 2].map(() => serveFolder(folder, env)));
  });

  it("spend no more of a hard budget than it has, and count what the ledger says", async () => {
    const made = await run("key", "create", "spender", "--allow", "lab/*", "--budget", `${budget}/1d`, "--hard");
    const [key = ""] = /sk-tg-\w+/.exec(made) ?? [];
    const seen = { served: 0, refused: 0, failed: 0 };
    let restarted: Promise<void> | undefined;
    const restart = async () => {
      const { port } = redis;
      await redis.kill();
      redis = await startRedis({ port });
    };
    const load = async (loop: number) => {
      for (let call = loop; seen.refused < 30; call++) {
        const answer = await askLab(gateways[call % 3]?.address ?? "", key).catch(() => undefined);
        await answer?.text();
        const kind = answer?.status === 200 ? "served" : answer?.status === 402 ? "refused" : "failed";
        seen[kind]++;
        if (seen.served >= 30) restarted ??= restart();
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, loop) => load(loop)));
    await restarted;
    const shown = await run("key", "show", "spender");
    const usage = await run("usage", "--by", "key");
    expect(seen.served).toBeLessThanOrEqual(mostServed);
    const [, counted = "counters"] = /\(hard\) +\$(\S+)/.exec(shown) ?? [];
    const [, billed = "ledger"] = /spender .*\$(\S+)/.exec(usage) ?? [];
    expect(Number(counted)).toBeCloseTo(Number(billed), 9);
  });
});
