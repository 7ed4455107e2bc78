import { afterEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import type { DecisionRequest } from "../../../../src/engine/api/decisions.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import type { Engine } from "../../../../src/index.ts";
import { near } from "../../support/case.ts";
import { byToken } from "../../support/judges.ts";
import { engineOver } from "../../support/support.ts";

/** Believes 0.9 in yes where the state says `high`, and 0.6 where it says `low`. */
const judge = (asked: ChatRequest[] = []) =>
  byToken(
    "a",
    (_question, option, { messages }) => {
      const yes = String(messages.at(-1)?.content).includes("high") ? 0.9 : 0.6;
      return option === "yes" ? yes : 1 - yes;
    },
    asked,
  );
const questions = { refund: { kind: "noul" as const, instructions: "Is money asked back?" } };
/** Of the sure ones six in ten are right, of the others four: the model is much too sure of yes. */
const cases = Array.from({ length: 40 }, (_, at) => ({
  state: at % 2 ? "high" : "low",
  answers: { refund: at % 20 < (at % 2 ? 12 : 8) },
}));
const fitting = { model: "a/m", questions, cases };
const asking: DecisionRequest = { model: "a/m", state: "high", questions };
const stores: Store[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

const opened = (store: Store, asked?: ChatRequest[]) => {
  stores.push(store);
  return engineOver([judge(asked)], { store });
};
const answerOf = async (engine: Engine, more: Partial<DecisionRequest> = {}) => {
  const { answers } = await engine.decide({ ...asking, ...more } as DecisionRequest);
  return Object.values(answers)[0] as { value: number; calibration?: object };
};

describe.each([
  ["memory", () => memoryStore()],
  ["SQLite", () => sqliteStore(":memory:")],
])("calibration maps in %s", (_name, makeStore) => {
  it("are fitted to labelled answers, stored in versions, applied and named, and gone when removed", async () => {
    const { engine } = opened(makeStore());
    const before = await answerOf(engine);
    expect(before).toEqual(expect.not.objectContaining({ calibration: expect.anything() }));
    expect(before.value).toEqual(near(0.9));
    const progress: string[] = [];
    const { reports, failures } = await engine.calibrations.fit(fitting, {
      onProgress: (read, all) => void progress.push(`${read}/${all}`),
    });
    expect(progress.at(-1)).toBe("40/40");
    expect(failures).toEqual([]);
    const [report] = reports;
    expect(report).toMatchObject({
      question: "refund",
      method: "tokens",
      items: 40,
      calibration: { name: "refund", version: 1, model: "a/m" },
    });
    const { none, temperature, platt } = report?.held_out ?? {};
    const kind = report?.calibration?.kind;
    expect({ temperature, platt }[kind ?? "platt"]?.log_loss).toBeLessThan(none?.log_loss ?? 0);
    const after = await answerOf(engine);
    expect(after.calibration).toEqual({ name: "refund", version: 1, kind });
    expect(Math.abs(after.value - 0.6)).toBeLessThan(0.1);
    expect((await answerOf(engine, { calibration: false })).value).toEqual(near(0.9));
    await engine.calibrations.fit({ ...fitting, name: "refunds" });
    expect(await answerOf(engine)).toMatchObject({ calibration: { name: "refunds", version: 2 } });
    const { items, next } = await engine.calibrations.list();
    expect([items.map(({ version }) => version), next]).toEqual([[2], undefined]);
    const id = items[0]?.id ?? "";
    expect(await engine.calibrations.get(id)).toEqual(items[0]);
    await engine.calibrations.remove(id);
    expect((await answerOf(engine)).value).toEqual(near(0.9));
    await expect(engine.calibrations.remove(id)).rejects.toMatchObject({ code: "not_found" });
    await expect(engine.calibrations.get(id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("are of one wording and one way of asking", async () => {
    const { engine } = opened(makeStore());
    await engine.calibrations.fit(fitting);
    const isMapped = async (more: Partial<DecisionRequest>) => (await answerOf(engine, more)).calibration !== undefined;
    expect(await isMapped({})).toBe(true);
    expect(await isMapped({ questions: { renamed: questions.refund } })).toBe(true);
    expect(await isMapped({ permutations: 2 })).toBe(false);
    expect(await isMapped({ prior: true })).toBe(false);
    expect(await isMapped({ examples: [{ state: "x", answers: { refund: true } }] })).toBe(false);
    expect(
      await isMapped({ questions: { refund: { kind: "noul", instructions: "Is money asked back, truly?" } } }),
    ).toBe(false);
    expect(await isMapped({ model: "a/other" })).toBe(false);
  });

  it("come in pages", async () => {
    const { engine, clock } = opened(makeStore());
    for (const model of ["a/m", "a/n", "a/o"]) {
      await engine.calibrations.fit({ ...fitting, model });
      clock.advance(1);
    }
    const first = await engine.calibrations.list({ limit: 2 });
    expect(first.items.map(({ model }) => model)).toEqual(["a/m", "a/n"]);
    const second = await engine.calibrations.list({ limit: 2, after: first.next });
    expect([second.items.map(({ model }) => model), second.next]).toEqual([["a/o"], undefined]);
    expect((await engine.calibrations.list({ model: "a/n" })).items.map(({ model }) => model)).toEqual(["a/n"]);
    await expect(engine.calibrations.list({ limit: 0 })).rejects.toMatchObject({ param: "limit" });
  });
});

describe("fitting", () => {
  it("takes recorded answers as they are, and asks for the others alone", async () => {
    const asked: ChatRequest[] = [];
    const { engine } = opened(memoryStore(), asked);
    const recorded = await Promise.all(
      cases.map(async ({ state, answers }) => {
        const decided = await engine.decide({ ...asking, state });
        return { state, answers, recorded: decided.answers as Record<string, unknown> };
      }),
    );
    asked.length = 0;
    const mixed = recorded.map((one, at) => (at < 5 ? cases[at] : one)) as typeof recorded;
    const { reports } = await engine.calibrations.fit({ ...fitting, cases: mixed });
    expect(asked).toHaveLength(5);
    expect(reports).toMatchObject([{ items: 40, calibration: { version: 1 } }]);
    const { engine: other } = opened(memoryStore());
    const fresh = await other.calibrations.fit(fitting);
    expect(reports[0]?.calibration?.slope).toBeCloseTo(fresh.reports[0]?.calibration?.slope ?? 0, 6);
  });

  it("stores nothing where ten answers are not there, or the model's own probabilities are best", async () => {
    const { engine } = opened(memoryStore());
    const few = await engine.calibrations.fit({ ...fitting, cases: cases.slice(0, 9) });
    expect(few.reports).toEqual([{ question: "refund", method: "tokens", items: 9 }]);
    const right = Array.from({ length: 40 }, (_, at) => ({ state: "high", answers: { refund: at % 10 !== 0 } }));
    const own = await engine.calibrations.fit({ ...fitting, cases: right });
    expect(own.reports[0]).not.toHaveProperty("calibration");
    expect(own.reports[0]?.held_out?.none.ece).toBeCloseTo(0, 6);
    expect((await engine.calibrations.list()).items).toEqual([]);
  });

  it("leaves out cases that the model does not answer, and throws where it answers none", async () => {
    const { chat } = judge() as Required<ReturnType<typeof judge>>;
    const flaky = (isBad: (text: string) => boolean) => ({
      name: "a",
      chat: async (...[request, call]: Parameters<typeof chat>) => {
        if (isBad(JSON.stringify(request))) throw new Error("no");
        return chat(request, call);
      },
    });
    const some = engineOver([flaky((text) => text.includes("low"))], { store: memoryStore(), retry: { retries: 0 } });
    const { reports, failed, failures } = await some.engine.calibrations.fit(fitting);
    expect([reports[0]?.items, failed, failures.length]).toEqual([20, 20, 10]);
    const none = engineOver([flaky(() => true)], { store: memoryStore(), retry: { retries: 0 } });
    await expect(none.engine.calibrations.fit(fitting)).rejects.toMatchObject({ code: "upstream_error" });
  });

  it.each([
    [{ cases: [] }, "cases"],
    [{ cases: [{ state: 1, answers: {} }] }, "cases.0.state"],
    [{ cases: [{ state: "s", answers: { other: true } }] }, "cases.0.answers.other"],
    [{ cases: [{ state: "s", answers: { refund: "perhaps" } }] }, "cases.0.answers.refund"],
    [
      { cases: [{ state: "s", answers: { refund: true }, recorded: { refund: { value: 2 } } }] },
      "cases.0.recorded.refund",
    ],
    [
      {
        cases: [
          { state: "s", answers: { refund: true }, recorded: { refund: { value: 0.5, calibration: { name: "x" } } } },
        ],
      },
      "cases.0.recorded.refund",
    ],
    [
      { cases: [{ state: "s", answers: { refund: true }, recorded: { refund: { value: 0.5, voters: [] } } }] },
      "cases.0.recorded.refund",
    ],
    [
      { cases: [{ state: "s", answers: { refund: true }, recorded: { refund: { value: 0.5, method: "guess" } } }] },
      "cases.0.recorded.refund.method",
    ],
    [{ questions: {} }, "questions"],
    [{ kind: "isotonic" }, "kind"],
    [{ model: "m" }, "model"],
  ])("refuses %j with the field's name, before any model is asked", async (more, param) => {
    const asked: ChatRequest[] = [];
    const { engine } = opened(memoryStore(), asked);
    await expect(engine.calibrations.fit({ ...fitting, ...more } as never)).rejects.toMatchObject({
      status: 400,
      param,
    });
    expect(asked).toEqual([]);
  });

  it("needs a store", async () => {
    const { engine } = engineOver([judge()]);
    await expect(engine.calibrations.fit(fitting)).rejects.toMatchObject({
      code: "invalid_configuration",
      param: "store",
    });
    await expect(engine.calibrations.list()).rejects.toMatchObject({ code: "invalid_configuration" });
    expect((await answerOf(engine)).value).toEqual(near(0.9));
  });
});

it("a store that fails leaves the model's own probabilities, with a warning", async () => {
  const store = memoryStore();
  const { records } = store;
  const get: typeof records.get = (kind, id) => {
    if (kind === "calibration") throw new Error("disk");
    return records.get(kind, id);
  };
  const { engine } = engineOver([judge()], { store: { ...store, records: { ...records, get } } });
  const { answers, extra_fields } = await engine.decide(asking);
  expect(answers).toMatchObject({ refund: { value: near(0.9) } });
  expect(extra_fields?.warnings).toEqual([
    "calibration: the maps could not be read; these are the model's own probabilities",
  ]);
});
