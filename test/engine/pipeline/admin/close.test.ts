import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { engineOver, messages, record, wordByWord } from "../../support/support.ts";

const ask = { model: "a/m", messages };

/** A provider that never says a word. */
const silent: Provider = {
  name: "a",
  chat: () => new Promise(() => {}),
  streamChat: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
};

function ledgerFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-close-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "ledger.db");
}

describe("close", () => {
  it.each(["chat", "streamChat"] as const)(
    "%s: what the grace cut off is in the ledger before that closes",
    async (verb) => {
      const file = ledgerFile();
      const { engine, clock } = engineOver([silent], { store: sqliteStore(file) });
      const defects = record(engine, "defect");
      const call = engine[verb](ask).catch((thrown) => thrown);
      await clock.advance(0);
      const closing = engine.close({ graceMs: 10 });
      await clock.advance(10);
      await closing;
      expect(await call).toMatchObject({ code: "shutting_down" });
      const { engine: later } = engineOver([silent], { store: sqliteStore(file) });
      expect((await later.usage.entries({ limit: 9 })).entries).toMatchObject([{ reason: "shutting_down" }]);
      expect(defects).toEqual([]);
      await later.close();
    },
  );
  it("whoever comes later is turned away, and no defect: the ledger is closed", async () => {
    const { engine } = engineOver(wordByWord("x"), { store: sqliteStore(ledgerFile()) });
    const defects = record(engine, "defect");
    await engine.close();
    await expect(engine.streamChat(ask)).rejects.toMatchObject({ code: "shutting_down" });
    await expect(engine.models()).rejects.toMatchObject({ code: "shutting_down" });
    await expect(engine.chat(ask, { key: "sk-tg-x" })).rejects.toMatchObject({ code: "shutting_down" });
    expect([defects, engine.inFlight]).toEqual([[], 0]);
  });
  it.each([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no"))],
  ] as const)(
    "a provider whose close %s keeps neither the others nor the store open, and is told of",
    async (_, fail) => {
      const closed: string[] = [];
      const store = memoryStore();
      const close = async (name: string) => void closed.push(name);
      const providers = [
        { ...silent, close: fail },
        { ...silent, name: "b", close: () => close("b") },
      ];
      const { engine } = engineOver(providers, { store: { ...store, close: () => close("store") } });
      await expect(engine.close()).rejects.toThrow("no");
      expect(closed).toEqual(["b", "store"]);
    },
  );
  it("waits for whoever counts tokens, and no longer: that is in no ledger", async () => {
    let count = (_tokens: number) => {};
    const counting = new Promise<number>((resolve) => {
      count = resolve;
    });
    const { engine, clock } = engineOver([{ ...silent, countTokens: () => counting }]);
    const counted = engine.countTokens(ask);
    const closing = engine.close();
    count(7);
    expect(await counted).toMatchObject({ input_tokens: 7 });
    await closing;
    expect(clock.pending).toBe(0);
  });
});
