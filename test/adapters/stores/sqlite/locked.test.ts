import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { openConnection } from "../../../../adapters/stores/sqlite/connection.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { sqliteLedger } from "../../../../adapters/stores/sqlite/ledger/ledger.ts";
import { sqliteRecords } from "../../../../adapters/stores/sqlite/records/records.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { scriptedEngine } from "../../../../src/testing/index.ts";
import { aCustomer } from "../../../engine/support/records.ts";
import { answer, messages } from "../../../engine/support/support.ts";
import { anAttempt, anEntryOf } from "../../support/entries.ts";

/** A store file, somebody who can lock it, and its store, which waits for no lock. */
function openLockable() {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-locked-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "tollgate.db");
  const connection = openConnection(path);
  connection.prepare("PRAGMA busy_timeout = 0").get();
  const ledger = sqliteLedger(connection, { rollEvery: 1_000, mostWaiting: 10_000 });
  const records = sqliteRecords(connection);
  const close = async () => {
    await ledger.close();
    connection.close();
  };
  const store: Store = { records, ledger, close };
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  return { path, store, other, connection };
}

it("a call after a change of keys is answered although nothing can be written just then", async () => {
  const { path, store, other } = openLockable();
  const engine = scriptedEngine({ "a/m": [answer("1"), answer("2"), answer("3")] }, { store });
  const provider_configs = [{ provider: "*", allowed_models: ["*"] }];
  const { value } = await engine.keys.create({ name: "k", provider_configs });
  const ask = () => engine.chat({ model: "a/m", messages }, { key: value });
  await ask();
  const beside = sqliteStore(path);
  await beside.records.put("customer", aCustomer(), 0);
  await beside.close();
  other.exec("BEGIN IMMEDIATE");
  expect(await ask()).toMatchObject({ choices: [{ message: { content: "2" } }] });
  other.exec("ROLLBACK");
  await ask();
  expect((await engine.usage.entries({ limit: 9 })).entries).toHaveLength(3);
  await engine.close();
});

it("a line that could not be drawn is drawn by the next write: what came before it is charged to nobody again", async () => {
  const { store, other } = openLockable();
  const { ledger } = store;
  const entry = (id: string) => anEntryOf({ id, at: 0, attempts: [anAttempt({ at: 0, cost: 2 })] });
  const standing = (used: number) => [{ counter: "c", start: 0, end: 9_000, used }];
  await ledger.append([entry("evt_1")], standing(2));
  other.exec("BEGIN IMMEDIATE");
  ledger.checkpoint();
  other.exec("ROLLBACK");
  await ledger.append([entry("evt_2")], standing(4));
  expect(await ledger.inspect(0)).toMatchObject({ counterValues: standing(4), entries: [] });
  await store.close();
});

it("a file that is up to date can be read while it is locked, and opening it is no change for whoever has it open", async () => {
  const { path, store, other } = openLockable();
  await store.records.put("customer", aCustomer(), 0);
  const before = store.records.stamp();
  await new Promise((resolve) => setImmediate(resolve)); // the stamp is asked for once per turn
  other.exec("BEGIN IMMEDIATE");
  const reader = sqliteStore(path);
  expect(await reader.records.get("customer", aCustomer().id)).toMatchObject({ version: 1 });
  await reader.close();
  other.exec("ROLLBACK");
  await new Promise((resolve) => setImmediate(resolve));
  expect(store.records.stamp()).toBe(before);
  await store.close();
});

it("a change of records while the file is locked is refused in words, and can be made afterwards", async () => {
  const { path, store, other } = openLockable();
  const engine = scriptedEngine({ "a/m": [] }, { store });
  const customer = await engine.customers.create({ name: "c" });
  const project = await engine.projects.create({ name: "p" });
  const { key } = await engine.keys.create({ name: "k", project_id: project.id });
  await engine.ready();
  other.exec("BEGIN IMMEDIATE");
  const changes = [
    () => engine.keys.update(key.id, { active: false }),
    () => engine.keys.create({ name: "l" }),
    () => engine.projects.update(project.id, { name: "q" }),
    () => engine.customers.remove(customer.id),
    () => engine.usage.prune({ before: 1 }),
  ];
  for (const change of changes) {
    const refused = await change().catch((thrown: unknown) => thrown);
    const message = "The store cannot be used just now: another process has locked it.";
    expect(refused).toMatchObject({ name: "GatewayError", code: "store_unavailable", status: 503, message });
    expect((refused as Error).message).not.toContain(path);
  }
  other.exec("ROLLBACK");
  for (const change of changes) await change();
  expect(await engine.keys.get(key.id)).toMatchObject({ active: false });
  await engine.close();
});

it("who serves waits for a lock a quarter of a second, once, and not for every row until it is gone", async () => {
  const { store, other, connection } = openLockable();
  const waits = () => connection.prepare("PRAGMA busy_timeout").get()?.timeout;
  connection.waitFor(5_000);
  await store.records.put("customer", aCustomer(), 0);
  expect(waits()).toBe(5_000);
  await store.ledger.append([anEntryOf({ id: "evt_1" })]);
  expect(waits()).toBe(250);
  other.exec("BEGIN IMMEDIATE");
  await expect(store.ledger.append([anEntryOf({ id: "evt_2" })])).rejects.toThrow("locked");
  expect(waits()).toBe(0);
  other.exec("ROLLBACK");
  await store.ledger.append([anEntryOf({ id: "evt_3" })]);
  expect(waits()).toBe(250);
  expect((await store.ledger.entries({ limit: 9 })).entries).toHaveLength(3);
  await store.close();
});

it("whoever appends to a locked file is told in words, with what SQLite said as the cause, and so is who hears of the defect", async () => {
  const { store, other } = openLockable();
  const defects: unknown[] = [];
  const engine = scriptedEngine({ "a/m": [answer("1"), answer("2")] }, { store });
  engine.on("defect", ({ error }) => defects.push(error));
  await engine.chat({ model: "a/m", messages });
  other.exec("BEGIN IMMEDIATE");
  const told = {
    name: "GatewayError",
    code: "store_unavailable",
    message: "The store cannot be used just now: another process has locked it.",
    cause: { errcode: 5 },
  };
  await expect(store.ledger.append([anEntryOf({ id: "evt_1" })])).rejects.toMatchObject(told);
  expect(await engine.chat({ model: "a/m", messages })).toMatchObject({ choices: [{ message: { content: "2" } }] });
  expect(defects).toMatchObject([told]);
  other.exec("ROLLBACK");
  await engine.close();
});

it("what waits for the file is counted, and what finds no room any more is counted as lost", async () => {
  const { store, other } = openLockable();
  const { ledger } = store;
  const many = (count: number) => Array.from({ length: count }, (_, n) => anEntryOf({ id: `evt_${n}`, at: 0 }));
  await ledger.append([anEntryOf({ id: "evt_first", at: 0 })]);
  expect(ledger.backlog?.()).toEqual({ waiting: 0, lost: 0, isFull: false });
  other.exec("BEGIN IMMEDIATE");
  const written = ledger.append(many(3));
  expect(ledger.backlog?.()).toEqual({ waiting: 3, lost: 0, isFull: false });
  await expect(written).rejects.toMatchObject({ code: "store_unavailable" });
  expect(ledger.backlog?.()).toEqual({ waiting: 3, lost: 0, isFull: false });
  await expect(ledger.append(many(10_000))).rejects.toMatchObject({ code: "store_unavailable" });
  expect(ledger.backlog?.()).toEqual({ waiting: 10_000, lost: 3, isFull: true });
  other.exec("ROLLBACK");
  await ledger.append([anEntryOf({ id: "evt_last", at: 0 })]);
  expect(ledger.backlog?.()).toEqual({ waiting: 0, lost: 3, isFull: false });
  await store.close();
});
