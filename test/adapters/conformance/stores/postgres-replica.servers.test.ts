import { expect, it, onTestFinished, vi } from "vitest";
import { postgresStore } from "../../../../adapters/stores/postgres/index.ts";
import type { LedgerEntry } from "../../../../src/engine/ports/ledger.ts";
import { createEngine } from "../../../../src/index.ts";
import { postgresSuite } from "./postgres-suite.ts";

const suite = postgresSuite();
const from = 1_763_600_000_000;

function entryOf(number: number): LedgerEntry {
  return {
    ...{ id: `event_${number}`, at: from + number, request_type: "chat_completion", model_requested: "lab/m" },
    ...{ key_id: "vk_1", status: 200, reason: "ok", latency: 1, saved: 0, attempts: [] },
    ...{ saved_prompt_tokens: 0, saved_completion_tokens: 0 },
  };
}

it("reports come from the replica, as far as it has replayed, and from the primary while it is away", async () => {
  const schema = suite.newSchema();
  const { ledger } = suite.openStore(schema);
  await ledger.append([entryOf(1)]);
  const replica = suite.server.startReplica();
  onTestFinished(() => replica.stop());
  const store = postgresStore({ pool: suite.server.pool(), replica: replica.pool(), schema });
  onTestFinished(() => store.close());
  const { usage } = createEngine({ providers: [{ name: "none" }], store });
  const count = async () => (await usage.query({ from, to: from + 1_000 }))[0]?.requests;
  const ids = async () => (await usage.entries({ limit: 10 })).entries.map(({ id }) => id);
  await vi.waitFor(async () => expect([await count(), await ids()]).toEqual([1, ["event_1"]]), { timeout: 20_000 });

  const control = replica.pool(1);
  control.on("error", () => {}); // of a server that this test kills
  await control.query("SELECT pg_wal_replay_pause()");
  await ledger.append([entryOf(2)]);
  expect([await count(), await ids()]).toEqual([1, ["event_1"]]); // it was the replica that answered
  const one = await usage.entries({ id: "event_2", limit: 1 });
  expect(one.entries).toHaveLength(1); // an entry that it does not have yet is the primary's

  await expect(usage.entries({ after: "nonsense", limit: 1 })).rejects.toMatchObject({ code: "invalid_request" });
  expect(await count()).toBe(1); // a question at fault is no fault of the replica

  replica.kill();
  expect([await count(), await ids()]).toEqual([2, ["event_2", "event_1"]]);
});

it("a replica without the schema yet is passed over", async () => {
  const replica = suite.server.startReplica();
  onTestFinished(() => replica.stop());
  await replica.pool(1).query("SELECT pg_wal_replay_pause()");
  const store = postgresStore({ pool: suite.server.pool(), replica: replica.pool(), schema: suite.newSchema() });
  onTestFinished(() => store.close());
  await store.ledger.append([entryOf(1)]);
  expect((await store.reports?.entries({ limit: 1 }))?.entries).toHaveLength(1);
});
