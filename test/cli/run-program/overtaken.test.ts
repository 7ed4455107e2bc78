import { expect, it, onTestFinished, vi } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { runProgram } from "../../../src/cli/run-program.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { createEngine, type Engine } from "../../../src/index.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

const opened = vi.hoisted(() => ({ engine: undefined as Engine | undefined }));
const facts = { provider: "a", model: "model", rates: {} };
vi.mock("../../../src/server/store/open.ts", () => ({
  openStoreFunctions: async () => ({ engine: opened.engine }),
  openKnowledge: async () => ({ prices: { find: () => facts, list: () => [facts] }, providers: new Set(["a"]) }),
}));

/** Records in which somebody else gets a change through after each look and before each write, as long as there are any. */
function overtakenStore(store: Store, changes: (() => Promise<unknown>)[]): Store {
  const { records } = store;
  const change = () => changes.shift()?.();
  return {
    ...store,
    records: {
      ...records,
      async list(kind, question) {
        const page = await records.list(kind, question);
        await change();
        return page;
      },
      async put(kind, record, expected) {
        await change();
        return records.put(kind, record, expected);
      },
    },
  };
}

const budget = (max_limit: number) => ({ max_limit, reset_duration: "1w" }) as const;
const a = { provider: "a", allowed_models: ["*"] };

it.each([
  [
    "key limit ci --budget 5/1d",
    { budgets: [budget(2), { max_limit: 5 }], provider_configs: [{ budgets: [budget(2)] }] },
  ],
  ["key limit ci --provider a --budget 5/1d", { provider_configs: [{ budgets: [budget(2), { max_limit: 5 }] }] }],
  ["key allow ci --allow a/model", { provider_configs: [{ allowed_models: ["a/model"], budgets: [budget(2)] }] }],
])("%s keeps what others change at the same time", async (line, expected) => {
  const store = memoryStore();
  const others = createEngine({ providers: [{ name: "a" }], store });
  onTestFinished(() => others.close());
  const { key } = await others.keys.create({ name: "ci", provider_configs: [a] });
  const changes = [1, 2].map((amount) => () => {
    const budgets = [budget(amount)];
    return others.keys.update(key.id, { budgets, provider_configs: [{ ...a, budgets }] });
  });
  opened.engine = createEngine({ providers: [{ name: "a" }], store: overtakenStore(store, changes) });
  const terminal = fakeTerminal({});
  expect({ code: await runProgram(line.split(" "), terminal, () => "1"), err: terminal.written.err }).toEqual({
    code: 0,
    err: "",
  });
  expect(changes).toEqual([]);
  expect(await others.keys.get(key.id)).toMatchObject(expected);
});
