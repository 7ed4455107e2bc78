import { describe, expect, it, onTestFinished } from "vitest";
import { postgresStore } from "../../../../adapters/stores/postgres/index.ts";
import type { Ledger, LedgerEntry, UsageQuestion } from "../../../../src/engine/ports/ledger.ts";
import { createDraw, pick } from "../../../../src/testing/conformance/draw.ts";
import { ledgerCases } from "../../../../src/testing/conformance/ledger/cases.ts";
import { ledgerCrashCases } from "../../../../src/testing/conformance/ledger/crash.ts";
import { attempt, day, entry, fill, midnight } from "../../../../src/testing/conformance/ledger/entries.ts";
import { sumByRules } from "../../../../src/testing/conformance/ledger/model.ts";
import { recordsCases } from "../../../../src/testing/conformance/records/cases.ts";
import { key } from "../../../../src/testing/conformance/records/drafts.ts";
import { postgresSuite } from "./postgres-suite.ts";

const suite = postgresSuite();
const { newSchema, openStore } = suite;

const readAll = async (ledger: Ledger) => JSON.parse(JSON.stringify((await ledger.entries({ limit: 1_000 })).entries));

describe("store: postgres", () => {
  for (const { title, run } of recordsCases) it(`records: ${title}`, () => run(openStore().records));
  for (const { title, run } of ledgerCases) it(`ledger: ${title}`, () => run(openStore().ledger));
  for (const { title, run } of ledgerCrashCases)
    it(`after a death: ${title}`, () => {
      const schema = newSchema();
      return run({ open: () => openStore(schema).ledger });
    });

  it("keeps texts that PostgreSQL has no room for, and finds by them", async () => {
    const { ledger, records } = openStore();
    const user = "a\u0000b\u001a0\u001a";
    const odd = entry({
      id: "evt\u0000",
      user,
      metadata: { "t\u0000": "v\u001a1" },
      attempts: [attempt({ model: "m/\u0000", credential: "\u001a" })],
    });
    await ledger.append([odd, entry({ id: "other" })]);
    expect(await readAll(ledger)).toEqual([entry({ id: "other" }), odd]);
    for (const filters of [{ user }, { "metadata.t\u0000": "v\u001a1" }, { model: "m/\u0000" }])
      expect((await ledger.entries({ limit: 9, filters })).entries.map(({ id }) => id)).toEqual(["evt\u0000"]);
    const [row] = await ledger.query({ from: 0, to: Infinity, group_by: ["model"], filters: { model: "m/\u0000" } });
    expect(row).toMatchObject({ group: { model: "m/\u0000" }, requests: 1 });
    const long = "x".repeat(10_000);
    await records.put("key", key("k", { user: long }), 0);
    const { records: found } = await records.list("key", { limit: 9, where: { user: long } });
    expect(found.map(({ record }) => record.user)).toEqual([long]);
  });

  it("keeps half of a surrogate pair as U+FFFD, where SQL cannot hold it", async () => {
    const { ledger } = openStore();
    await ledger.append([entry({ user: "a\ud800" })]);
    expect(await readAll(ledger)).toEqual([entry({ user: "a\ufffd" })]);
  });

  it("loses what the server refuses for what it holds, and nothing that came with it", async () => {
    const { ledger } = openStore();
    const standing = { counter: "c", start: midnight, end: midnight + day, used: 7 };
    await ledger.recover(midnight);
    const ids = Array.from({ length: 9 }, (_, n) => `evt_${n}`);
    const wrong = entry({ id: "evt_4", status: 2 ** 40 });
    const appended = ids.map((id) => ledger.append([id === "evt_4" ? wrong : entry({ id })], [standing]));
    const ends = await Promise.allSettled(appended);
    expect(ends[4]).toMatchObject({
      reason: { code: "internal", message: "PostgreSQL refuses what was to be written (22003)." },
    });
    await ledger.append([entry({ id: "evt_9" })]);
    const told = (await ledger.entries({ limit: 99 })).entries.map(({ id }) => id);
    expect(told).toEqual(["evt_9", ...ids.toReversed().filter((id) => id !== "evt_4")]);
    expect((await ledger.inspect(midnight)).counterValues).toEqual([standing]);
    expect(await ledger.query({ from: 0, to: Infinity })).toMatchObject([{ requests: 9 }]);
  });

  it("sums what several processes write, while each adds to the sums, in all its tables", async () => {
    const schema = newSchema();
    const stores = [openStore(schema), openStore(schema)];
    const filled = await Promise.all(
      stores.map(async ({ ledger }, n) => {
        const mine = [];
        for (let round = 0; round < 3; round++) {
          mine.push(...(await fill(ledger, { draw: createDraw(20 + 3 * n + round), count: 400 })));
          await ledger.prune({ before: 0 }); // adds to the sums
        }
        return mine;
      }),
    );
    const entries = filled.flat();
    const spans = [
      { from: 0, to: 8.64e15 },
      { from: midnight + day, to: midnight + 3 * day },
      { from: Date.UTC(2026, 10), to: Date.UTC(2026, 11) },
    ];
    const groups = [[], ["day", "model"], ["month", "key_id"], ["key_id", "model"], ["month"]] as const;
    const all = groups.flatMap((group_by) => spans.map((span): UsageQuestion => ({ ...span, group_by })));
    for (const question of all)
      expect(await (stores[0] as { ledger: Ledger }).ledger.query(question)).toEqual(sumByRules(entries, question));
    await Promise.all(stores.map(({ ledger }) => ledger.prune({ before: midnight + 2 * day, sums: true })));
    const kept = entries.filter(({ at }) => at >= midnight + 2 * day);
    for (const question of all.filter(({ from }) => from === 0))
      expect(await (stores[1] as { ledger: Ledger }).ledger.query(question)).toEqual(sumByRules(kept, question));
  });

  it("answers as of one instant, whoever adds to the sums meanwhile", async () => {
    const schema = newSchema();
    const [one, two] = [openStore(schema).ledger, openStore(schema).ledger];
    for (let round = 1; round <= 20; round++) {
      await one.append(Array.from({ length: 50 }, () => entry()));
      const queries = Array.from({ length: 4 }, () => one.query({ from: 0, to: Infinity, group_by: ["day"] }));
      const [, ...answers] = await Promise.all([two.prune({ before: 0 }), ...queries]);
      for (const [row] of answers) expect(row?.requests).toBe(50 * round);
    }
  });

  it("tells spans of whole and parts of hours as its requests do, through additions to the sums and pruning", async () => {
    const { ledger } = openStore();
    const draw = createDraw(40);
    const hour = day / 24;
    let entries: LedgerEntry[] = [];
    let gone = 0;
    for (const [round, before] of [0, 0, midnight + 30 * hour, midnight + 41.5 * hour, Infinity, 0].entries()) {
      entries.push(...(await fill(ledger, { draw: createDraw(41 + round), count: 200 })));
      await ledger.prune({ before, sums: before === Infinity });
      entries = entries.filter(({ at }) => at >= before);
      if (before < Infinity) gone = Math.max(gone, before);
      const around = { from: Math.floor(gone / hour) * hour, to: Math.floor(gone / hour) * hour + 3 * hour };
      expect(await ledger.query(around)).toEqual(sumByRules(entries, around)); // of an hour that is pruned in part, its requests
      for (let asked = 0; asked < 30; asked++) {
        const start = Math.max(gone, midnight + draw(80) * hour + pick(draw, [0, 0, 1, draw(hour)]));
        const to = pick(draw, [
          start + draw(60) * hour,
          start + draw(day),
          Math.ceil(start / hour) * hour + 3 * hour,
          Infinity,
        ]);
        const question: UsageQuestion = {
          from: start,
          to,
          group_by: pick(draw, [[], ["day", "model"], ["key_id"], ["month"]]),
        };
        expect(await ledger.query(question)).toEqual(sumByRules(entries, question));
      }
    }
  });

  it("sums by models that are longer than an index holds, as callers may name them", async () => {
    const schema = newSchema();
    const { ledger } = openStore(schema);
    const draw = createDraw(50);
    const models = [1, 2].map(() =>
      Array.from({ length: 2_048 }, () => String.fromCharCode(0x4e00 + draw(20_000))).join(""),
    );
    models.push("m\\", "m\\\\", "\\x41", "A"); // of which bytes are made
    const entries = models.flatMap((model) => [1, 2].map(() => entry({ attempts: [attempt({ model })] })));
    for (const each of entries) {
      await ledger.append([each]);
      await ledger.prune({ before: 0 }); // adds to the sums
    }
    const question: UsageQuestion = { from: 0, to: Infinity, group_by: ["model"] };
    expect(await ledger.query(question)).toEqual(sumByRules(entries, question));
    expect(await suite.server.ask(`SELECT count(*)::int AS left FROM ${schema}.usage_new`)).toEqual({ left: 0 });
  });

  it("begins to sum by the hour with its first request, though an empty ledger was pruned up to the end of time", async () => {
    const schema = newSchema();
    await openStore(schema).ledger.prune({ before: Infinity });
    expect(await suite.server.ask(`SELECT hourly FROM ${schema}.mark`)).toEqual({ hourly: 0 });
  });

  it("refuses a database that it cannot keep its texts in, and one that a newer tollgate wrote", async () => {
    await suite.server.ask("CREATE DATABASE narrow ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    const narrow = postgresStore({ pool: suite.server.pool(4, "narrow") });
    onTestFinished(() => narrow.close());
    const thrown = async () => narrow.records.get("key", "k");
    await expect(thrown()).rejects.toMatchObject({ code: "invalid_configuration", param: "pool" });
    await expect(thrown()).rejects.toThrow("its encoding is LATIN1; make a database with ENCODING 'UTF8'");
    const schema = newSchema();
    await openStore(schema).records.count("key");
    await suite.server.ask(`UPDATE ${schema}.version SET number = 99`);
    await expect(async () => openStore(schema).records.count("key")).rejects.toThrow(
      `${schema} was written by a newer`,
    );
  });

  it("is made once, by whichever of several processes comes first", async () => {
    const schema = newSchema();
    const counts = Array.from({ length: 8 }, async () => openStore(schema).records.count("key"));
    expect(await Promise.all(counts)).toEqual(counts.map(() => 0));
  });

  it("says that a record cannot be read, which something else has changed", async () => {
    const schema = newSchema();
    const { records } = openStore(schema);
    await records.put("key", key("k"), 0);
    await suite.server.ask(`UPDATE ${schema}.record SET body = 'x'`);
    await expect(async () => records.get("key", "k")).rejects.toMatchObject({ code: "internal", param: "store" });
  });
});
