import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { downgrade } from "../../support/downgrade.ts";
import { anEntryOf } from "../../support/entries.ts";

const day = 86_400_000;
const month = 40 * day;

it("an older file says that its hits saved no tokens, and counts those of new ones, by day and by month", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-saved-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [path, old] = [join(folder, "new.db"), join(folder, "old.db")];
  const hit = (id: string, at: number, tokens: number) =>
    anEntryOf({
      id,
      at,
      cache: "direct",
      saved: 5,
      saved_prompt_tokens: tokens,
      saved_completion_tokens: 1,
      attempts: [],
    });
  const before = await sqliteStore(path);
  await before.ledger.append([hit("evt_1", 0, 100), hit("evt_2", day, 100)]);
  downgrade(path, old, 4);
  await before.close();
  const store = await sqliteStore(old);
  await store.ledger.append([hit("evt_3", day + 1, 30), hit("evt_4", month, 7)]); // the new day folds the days before it into their month
  const sumsOf = async () => {
    const rows = await store.ledger.query({ from: 0, to: 2 * month, group_by: ["month"] });
    return rows.map(({ cache_hits, saved_prompt_tokens, saved_completion_tokens: completion }) => [
      ...[cache_hits, saved_prompt_tokens, completion],
    ]);
  };
  const expected = [
    [3, 30, 1],
    [1, 7, 1],
  ];
  expect(await sumsOf()).toEqual(expected);
  const { entries } = await store.ledger.entries({ limit: 9 });
  expect(entries.map(({ id, saved_prompt_tokens: tokens }) => [id, tokens])).toEqual([
    ["evt_4", 7],
    ["evt_3", 30],
    ["evt_2", 0],
    ["evt_1", 0],
  ]);
  await store.close(); // what is not summed up yet is rolled
  const file = new DatabaseSync(old, { readOnly: true });
  onTestFinished(() => file.close());
  const [summed] = file.prepare("SELECT total(saved_prompt_tokens) AS tokens FROM usage_by_owner").all();
  expect(summed).toEqual({ tokens: 37 });
  const shown = file.prepare("SELECT event_id, saved_prompt_tokens, saved_completion_tokens FROM ledger_request").all();
  expect(shown).toContainEqual({ event_id: "evt_3", saved_prompt_tokens: 30, saved_completion_tokens: 1 });
});
