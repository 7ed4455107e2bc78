import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { memoryCounters } from "../../../adapters/counters/memory.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../adapters/stores/sqlite/index.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Counters, ReserveCall } from "../../../src/engine/ports/counters.ts";
import { openStoreClient } from "../../../src/server/worker-store/client.ts";
import { clientCounters } from "../../../src/server/worker-store/client-counters.ts";
import { openStoreServer } from "../../../src/server/worker-store/server.ts";
import { workerStore } from "../../../src/server/worker-store/worker-store.ts";
import { countersCases } from "../../../src/testing/conformance/counters/cases.ts";
import { fakeChannel } from "../../cli/support/workers/channels.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-worker-store-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Counters of a worker whose supervisor is in this process. */
function openWorkerCounters(server = openStoreServer({ open: async () => memoryStore(), counters: memoryCounters() })) {
  const channel = fakeChannel();
  server.attach(channel.supervisor);
  return { counters: clientCounters(openStoreClient(channel.worker), false), kill: channel.kill };
}

const month = { start: 0, end: 1_000_000 };

function callOf(reservationId: string, { amount = 10, now = 0, expiresAt = 1_000 } = {}): ReserveCall {
  return { reservationId, holds: [{ counter: "key", amount, limit: 10, opens: month, isHard: true }], now, expiresAt };
}

describe("the counters that workers over one store file share", () => {
  for (const { title, run } of countersCases) it(title, () => run(openWorkerCounters().counters));

  it("are counted once, whichever worker reserves", async () => {
    const server = openStoreServer({ open: async () => memoryStore(), counters: memoryCounters() });
    const workers = Array.from({ length: 3 }, () => openWorkerCounters(server).counters);
    const outcomes = await Promise.all(workers.map((one, at) => one.reserve(callOf(`r${at}`))));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["reserved", "shortfall", "shortfall"]);
  });

  it("give back what a dead worker had reserved once that expires, but for what it had spent", async () => {
    const server = openStoreServer({ open: async () => memoryStore(), counters: memoryCounters() });
    const [dying, living] = [openWorkerCounters(server), openWorkerCounters(server)];
    const spending = await dying.counters.reserve(callOf("spent", { amount: 5 }));
    await dying.counters.reserve(callOf("open", { amount: 5 }));
    if (spending.kind === "reserved") void dying.counters.reduce?.(spending, [3], 1);
    await dying.counters.read([], 1); // what it sent has come
    dying.kill();
    const reserve = (now: number) => living.counters.reserve(callOf(`at ${now}`, { amount: 7, now, expiresAt: 2_000 }));
    await new Promise((resolve) => void setImmediate(() => setImmediate(() => setImmediate(resolve))));
    expect((await reserve(999)).kind).toBe("shortfall");
    expect((await reserve(1_000)).kind).toBe("reserved");
    expect(await living.counters.read(["key"], 1_000)).toMatchObject([{ used: 3, reserved: 7 }]);
  });

  it("are restored by the worker that starts alone, which is not alone from then on", async () => {
    const server = openStoreServer({ open: async () => memoryStore(), counters: memoryCounters() });
    const channel = fakeChannel();
    server.attach(channel.supervisor);
    const first: Counters = clientCounters(openStoreClient(channel.worker), true);
    await first.restore?.([{ counter: "key", ...month, used: 4 }], 0);
    expect(first.restore).toBeUndefined();
    expect(await openWorkerCounters(server).counters.read(["key"], 0)).toMatchObject([{ used: 4 }]);
  });
});

const entry = {
  ...({
    id: "event",
    at: 5,
    request_type: "chat_completion",
    model_requested: "lab/m",
    key_id: "key",
    status: 200,
  } as const),
  ...({
    reason: "ok",
    latency: 1,
    saved: 0,
    saved_prompt_tokens: 0,
    saved_completion_tokens: 0,
    attempts: [],
  } as const),
};

describe("the ledger that workers over one store file share", () => {
  const openWorkers = (file: string) => {
    const server = openStoreServer({ open: async () => sqliteStore(file), counters: memoryCounters() });
    const openWorker = (announces: boolean) => {
      const channel = fakeChannel();
      server.attach(channel.supervisor);
      return { ...channel, store: workerStore(sqliteStore(file), { channel: channel.worker, announces }) };
    };
    return { server, openWorker };
  };

  it("is written by the supervisor, and read by each worker", async () => {
    const { server, openWorker } = openWorkers(join(folder, "shared.db"));
    const [one, other] = [openWorker(true), openWorker(false)];
    expect(await one.store.ledger.recover(0)).toEqual({ counterValues: [], entries: [] });
    await one.store.ledger.append([entry]);
    await other.store.ledger.append([{ ...entry, id: "other" }]);
    for (const { store } of [one, other]) {
      expect((await store.ledger.entries({ limit: 10 })).entries.map(({ id }) => id)).toEqual(["other", "event"]);
      expect(await store.ledger.query({ from: 0, to: 10 })).toMatchObject([{ requests: 2 }]);
      expect(await store.ledger.lastUsed(["key"])).toEqual(new Map([["key", 5]]));
    }
    for (const { store, kill } of [one, other]) {
      await store.close();
      kill();
    }
    await expect(one.store.ledger.append([entry])).rejects.toThrow("The store is closed.");
    await server.close();
  });

  it("has the charge of a settlement once, in the counters or in the entry, wherever the gateway is killed", async () => {
    const file = join(folder, "charged.db");
    const { openWorker } = openWorkers(file);
    const { store } = openWorker(true);
    await store.ledger.recover(0);
    const reserved = await store.counters?.reserve(callOf("r"));
    if (reserved?.kind !== "reserved") throw new TypeError("nothing was reserved");
    void store.counters?.settle(reserved, [7], 5);
    await store.ledger.append([entry]);
    const killed = sqliteStore(file).ledger.inspect(6);
    expect(await killed).toMatchObject({ counterValues: [], entries: [{ id: "event" }] });
    store.ledger.checkpoint();
    await store.ledger.append([{ ...entry, id: "later" }]);
    expect(await sqliteStore(file).ledger.inspect(6)).toMatchObject({
      ...{ counterValues: [{ counter: "key", used: 7 }], entries: [{ id: "later" }] },
    });
  });

  it("answers with the supervisor's error, its code and its field; a store that could not be opened is opened again", async () => {
    let isBroken = true;
    const open = async () => {
      if (isBroken) throw new GatewayError("invalid_configuration", "The store is in use.", { param: "store" });
      return memoryStore();
    };
    const server = openStoreServer({ open, counters: memoryCounters() });
    const { worker, supervisor } = fakeChannel();
    server.attach(supervisor);
    const client = openStoreClient(worker);
    await expect(client.ask("recover", 0, true)).rejects.toMatchObject({
      code: "invalid_configuration",
      param: "store",
    });
    isBroken = false;
    expect(await client.ask("recover", 0, true)).toMatchObject({ entries: [] });
  });
});
