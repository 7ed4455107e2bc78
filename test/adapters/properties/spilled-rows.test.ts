import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { spillingLedger } from "../../../adapters/stores/spill/ledger.ts";
import { openRowFile, type RowFile } from "../../../adapters/stores/spill/row-file.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Ledger, LedgerEntry } from "../../../src/engine/ports/ledger.ts";
import { anEntryOf } from "../support/entries.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-spill-"));
afterAll(() => rmSync(folder, { recursive: true }));

const entryOf = (number: number): LedgerEntry =>
  anEntryOf({ id: `event-${number}`, at: Date.UTC(2026, 0, 1) + number, attempts: [] });

/** How a store fails: it refuses and forgets, keeps what it refused for later, writes without a confirmation, or does not answer. */
type Failure = "refuses" | "keeps" | "writes" | "hangs";

/** A store that can be away, and what a process holds of it. */
function openStore() {
  const { ledger: real } = memoryStore();
  const away = () => new GatewayError("store_unavailable", "away");
  let failure: Failure | undefined;
  const process = () => {
    let waiting: { readonly entries: readonly LedgerEntry[]; readonly done: () => void }[] = [];
    let isGone = false;
    const flush = async () => {
      const all = waiting;
      waiting = [];
      for (const { entries, done } of all) {
        await real.append(entries);
        done();
      }
    };
    const ledger: Ledger = {
      ...real,
      async append(entries) {
        await nextTurn();
        if (isGone) throw away();
        if (failure === undefined) return await real.append(entries);
        if (failure === "writes") await real.append(entries);
        if (failure === "keeps") waiting.push({ entries, done: () => {} });
        if (failure !== "hangs") throw away();
        return new Promise((done) => void waiting.push({ entries, done }));
      },
      async entries(question) {
        if (failure !== undefined) throw away();
        return real.entries(question);
      },
      backlog: () => ({ waiting: waiting.reduce((sum, { entries }) => sum + entries.length, 0), lost: 0 }),
    };
    return {
      ledger,
      flush: async () => {
        if (!isGone && failure === undefined) await flush();
      },
      die: () => {
        isGone = true;
        waiting = [];
      },
    };
  };
  const fail = (how: Failure | undefined) => {
    failure = how;
  };
  return { real, process, fail };
}

type Step =
  | { readonly kind: "append"; readonly count: number }
  | { readonly kind: "away"; readonly how: Failure }
  | { readonly kind: "back" }
  | { readonly kind: "hand over" }
  | { readonly kind: "die"; readonly turns: number }
  | { readonly kind: "fill"; readonly isFull: boolean };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("append" as const), count: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("away" as const),
      how: fc.constantFrom<Failure>("refuses", "keeps", "writes", "hangs"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "back" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "hand over" as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("die" as const), turns: fc.integer({ min: -1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("fill" as const), isFull: fc.boolean() }) },
);

let files = 0;

/** Opens the file as a process does; with `disk.isFull` nothing can be added. */
function openFile(path: string, disk: { isFull: boolean }): RowFile {
  const file = openRowFile(path, 1e8);
  return {
    path: file.path,
    inherited: file.inherited,
    get count() {
      return file.count;
    },
    add(entries) {
      if (disk.isFull) throw new Error("the disk is full");
      file.add(entries);
    },
    first: file.first,
    remove: file.remove,
    close: file.close,
  };
}

/** Waits as long as a store answers that does: one that hangs may not hold up the story. */
async function briefly(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 12);
  });
  await Promise.race([work, enough]);
  clearTimeout(timer);
}

it("whatever fails, returns and dies when: what was confirmed is in the ledger once, and nothing is in it twice", async () => {
  const story = fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 25 }), async (steps) => {
    const store = openStore();
    const path = join(folder, `${files++}.db`);
    const disk = { isFull: false };
    const open = () => {
      const process = store.process();
      const file = openFile(path, disk);
      const ledger = spillingLedger({ inner: process.ledger, file, patienceMs: 3, againMs: 1e8 });
      return { process, file, ledger };
    };
    const confirmed = new Set<string>();
    let number = 0;
    let current = open();
    await current.ledger.recover(0, false);
    for (const step of [...steps, { kind: "fill", isFull: false }, { kind: "back" }] as const) {
      if (step.kind === "append") {
        const entries = Array.from({ length: step.count }, () => entryOf(number++));
        const appended = current.ledger.append(entries).then(
          () => entries.forEach(({ id }) => void confirmed.add(id)),
          () => {},
        );
        await briefly(appended);
      }
      if (step.kind === "away") store.fail(step.how);
      if (step.kind === "back") {
        store.fail(undefined);
        await current.process.flush();
      }
      if (step.kind === "hand over") await briefly(current.ledger.handOver());
      if (step.kind === "fill") disk.isFull = step.isFull;
      if (step.kind === "die") {
        const last = step.turns < 0 ? undefined : current.ledger.handOver();
        for (let turn = 0; turn < step.turns; turn++) await nextTurn();
        current.process.die();
        current.file.close();
        if (last) await briefly(last.catch(() => {}));
        current = open();
        await current.ledger.recover(0, false);
      }
    }
    await current.ledger.handOver();
    await current.ledger.stop();
    current.file.close();
    const { entries } = await store.real.entries({ limit: 1_000 });
    const ids = entries.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...confirmed].filter((id) => !ids.includes(id))).toEqual([]);
  });
  await fc.assert(story, { numRuns: 250 });
});
