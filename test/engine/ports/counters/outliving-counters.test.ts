import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import type { Counters } from "../../../../src/engine/ports/counters.ts";
import { keptBooks, promptOf } from "../../support/books.ts";
import { engineOver } from "../../support/support.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-outliving-"));
afterAll(() => rmSync(folder, { recursive: true }));

const provider = {
  name: "a",
  embed: async () => {
    const data = [{ object: "embedding" as const, index: 0, embedding: [1] }];
    return { object: "list" as const, model: "m", data, usage: promptOf(3) };
  },
};

/** Counters as a shared server keeps them: they give no standings, and nothing is restored. */
function outlivingCounters(): Counters {
  const { reserve, release, read, settle } = memoryCounters();
  return {
    reserve,
    release,
    read,
    settle: async (...given) => ({ ...(await settle(...given)), values: [] }),
  };
}

it("counters that outlive the process keep what others charged, after a death of this one", async () => {
  const counters = outlivingCounters();
  const store = sqliteStore(join(folder, "alive.db"));
  const { engine, clock, options } = await keptBooks([provider], { counters, store });
  const id = String((await engine.keys.list()).items[0]?.id);
  await engine.embed({ model: "a/m", input: "12345678" }, options);
  await chargeElsewhere(counters, `key/${id}/cost/1Y`, clock.now());
  const ofKey = { level: "key", unit: "cost", used_nano: 3_500 };
  expect(await engine.usage.limits(id)).toMatchObject(expect.arrayContaining([expect.objectContaining(ofKey)]));

  for (const ending of ["", "-wal"]) copyFileSync(join(folder, `alive.db${ending}`), join(folder, `died.db${ending}`));
  const after = engineOver([provider], { counters, clock, store: sqliteStore(join(folder, "died.db")) }).engine;
  await after.ready();
  expect(await after.usage.limits(id)).toMatchObject(expect.arrayContaining([expect.objectContaining(ofKey)]));
  await after.close();
  await engine.close();
});

async function chargeElsewhere(counters: Counters, counter: string, now: number): Promise<void> {
  const hold = { counter, amount: 500, limit: 1e9, opens: { start: now, end: now + 1 }, isHard: true };
  const ticket = await counters.reserve({ reservationId: "elsewhere", holds: [hold], now, expiresAt: now + 1 });
  if (ticket.kind === "reserved") await counters.settle(ticket, [500], now);
}
