import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryCounters } from "../../../adapters/counters/memory.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { CounterReservation, Counters } from "../../../src/engine/ports/counters.ts";
import { openStoreClient } from "../../../src/server/worker-store/client.ts";
import { clientCounters } from "../../../src/server/worker-store/client-counters.ts";
import { openStoreServer, type StoreServer } from "../../../src/server/worker-store/server.ts";
import { fakeChannel } from "../../cli/support/workers/channels.ts";

const limit = 100;
const window = { start: 0, end: 1_000_000 };

/** What one of the workers does next. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("reserve" as const), worker: fc.nat(2), amount: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant("settle" as const), worker: fc.nat(2), part: fc.nat(100) }),
  fc.record({ kind: fc.constant("reduce" as const), worker: fc.nat(2), part: fc.nat(100) }),
  fc.record({ kind: fc.constant("release" as const), worker: fc.nat(2) }),
  fc.record({ kind: fc.constant("kill" as const), worker: fc.nat(2) }),
  fc.record({ kind: fc.constant("pass" as const), worker: fc.constant(0), ms: fc.integer({ min: 1, max: 600 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface WorkerModel {
  counters: Counters;
  kill: () => void;
  /** Open reservations, with what was spent of them so far. */
  open: { reservation: CounterReservation; reduced: number | undefined }[];
}

function startWorker(server: StoreServer): WorkerModel {
  const channel = fakeChannel();
  server.attach(channel.supervisor);
  return { counters: clientCounters(openStoreClient(channel.worker), false), kill: channel.kill, open: [] };
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => void setImmediate(resolve));
};

/** Runs the steps; returns what the counter must hold at the end beside the reservations of workers that live. */
async function runSteps(server: StoreServer, steps: readonly Step[]) {
  const workers = [startWorker(server), startWorker(server), startWorker(server)];
  const abandoned: WorkerModel["open"] = [];
  let [now, used, serial] = [0, 0, 0];
  const amountOf = ({ reservation }: WorkerModel["open"][number]) => reservation.held[0]?.amount ?? 0;
  for (const one of steps) {
    const worker = workers[one.worker] as WorkerModel;
    const last = worker.open.at(-1);
    if (one.kind === "pass") now += one.ms;
    else if (one.kind === "reserve") {
      const hold = { counter: "c", amount: one.amount, limit, opens: window, isHard: true };
      const call = { reservationId: `r${++serial}`, holds: [hold], now, expiresAt: now + 500 };
      const outcome = await worker.counters.reserve(call);
      if (outcome.kind === "reserved") worker.open.push({ reservation: outcome, reduced: undefined });
    } else if (one.kind === "kill") {
      await worker.counters.read([], now); // what it has sent has come
      worker.kill();
      await turns(3);
      abandoned.push(...worker.open);
      workers[one.worker] = startWorker(server);
    } else if (last && one.kind === "reduce") {
      last.reduced = Math.floor((amountOf(last) * one.part) / 100);
      void worker.counters.reduce?.(last.reservation, [last.reduced], now);
    } else if (last) {
      worker.open.pop();
      const real = one.kind === "settle" ? Math.floor((amountOf(last) * one.part) / 100) : 0;
      used += real;
      if (one.kind === "settle") void worker.counters.settle(last.reservation, [real], now);
      else void worker.counters.release(last.reservation, now);
    }
    const [reading] = (await workers[one.worker]?.counters.read(["c"], now)) ?? [];
    expect((reading?.used ?? 0) + (reading?.reserved ?? 0)).toBeLessThanOrEqual(limit);
  }
  return { workers, abandoned, now, used };
}

it("workers over one store never reserve more than fits, and lose or keep no reservation, whoever is killed when", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const server = openStoreServer({ open: async () => memoryStore(), counters: memoryCounters() });
      const { workers, abandoned, now, used } = await runSteps(server, steps);
      const later = now + 1_000;
      const { counters } = startWorker(server);
      const nothing = { counter: "other", amount: 0, limit: 1, opens: window, isHard: false };
      await counters.reserve({ reservationId: "look", holds: [nothing], now: later, expiresAt: later + 1 });
      const [reading] = await counters.read(["c"], later);
      const spentByDead = abandoned.reduce((sum, { reduced = 0 }) => sum + reduced, 0);
      const open = workers.flatMap((worker) => worker.open);
      const reserved = open.reduce(
        (sum, { reservation, reduced }) => sum + (reduced ?? reservation.held[0]?.amount ?? 0),
        0,
      );
      expect([reading?.used ?? 0, reading?.reserved ?? 0]).toEqual([used + spentByDead, reserved]);
    }),
  );
});
