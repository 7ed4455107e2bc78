import assert from "node:assert/strict";
import { isGatewayError } from "../../../engine/errors.ts";
import {
  type Dimension,
  type EntriesQuestion,
  type Ledger,
  type LedgerEntry,
  namedDimensions,
  type UsageFilters,
  type UsageQuestion,
} from "../../../engine/ports/ledger.ts";
import type { ConformanceCase } from "../case.ts";
import { createDraw, type Draw, pick } from "../draw.ts";
import { attempt, day, entry, fill, midnight } from "./entries.ts";
import { sumByRules } from "./model.ts";
import { spanCases } from "./spans.ts";
import { targetlessCase } from "./targetless.ts";

const always = { from: 0, to: 8.64e15 };
const dimensions: readonly Dimension[] = [
  ...namedDimensions,
  "metadata.team",
  'metadata.odd."name',
  "metadata.constructor",
];

/** Drops fields without a value, which a store need not tell from absent ones. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

async function readAll(ledger: Ledger, question: Omit<Partial<EntriesQuestion>, "limit"> = {}): Promise<LedgerEntry[]> {
  const all: LedgerEntry[] = [];
  for (let after: string | undefined; ; ) {
    const page = await ledger.entries({ limit: 7, ...question, ...(after === undefined ? {} : { after }) });
    assert.ok(page.entries.length <= 7, `a page of 7 has ${page.entries.length} entries`);
    all.push(...page.entries);
    if (page.next === undefined) return all;
    after = page.next;
  }
}

function drawQuestion(draw: Draw, entries: readonly LedgerEntry[]): UsageQuestion {
  const edges = [
    midnight - day,
    midnight,
    midnight + day,
    midnight + 2 * day,
    midnight - 28 * day,
    midnight + 33 * day,
    midnight + 9 * day,
    midnight + draw(4 * day),
    -Infinity,
    Infinity,
  ];
  const from = pick(draw, edges);
  const to = pick(draw, edges);
  const group_by = dimensions.filter(() => draw(6) === 0);
  const filters = Object.fromEntries(
    dimensions.filter(() => draw(8) === 0).map((dimension) => [dimension, drawValues(draw, entries, dimension)]),
  ) as UsageFilters;
  return { from: Math.min(from, to), to: Math.max(from, to), group_by, filters };
}

function drawValues(draw: Draw, entries: readonly LedgerEntry[], dimension: Dimension) {
  const rows = sumByRules(entries, { ...always, group_by: [dimension] });
  const values = rows.map(({ group }) => group[dimension] ?? null);
  return draw(2) === 0 ? pick(draw, values) : values.filter(() => draw(2) === 0);
}

const entriesCases: readonly ConformanceCase<Ledger>[] = [
  {
    title: "entries are read back as they were appended, newest first, page by page",
    async run(ledger) {
      const entries = await fill(ledger, { draw: createDraw(3), count: 100 });
      assert.deepEqual(plain(await readAll(ledger)), plain(entries.toReversed()));
    },
  },
  {
    title: "a page that leaves nothing names no next one",
    async run(ledger) {
      await ledger.append(["evt_1", "evt_2", "evt_3"].map((id) => entry({ id })));
      const followed = [1, 2, 3, 4].map(async (limit) => (await ledger.entries({ limit })).next !== undefined);
      assert.deepEqual(await Promise.all(followed), [true, true, false, false]);
    },
  },
  {
    title: "entries can be picked by time and by every dimension; an attempt is enough to be picked",
    async run(ledger) {
      const draw = createDraw(4);
      const entries = await fill(ledger, { draw, count: 200 });
      for (let round = 0; round < 60; round++) {
        const { from, to, filters = {} } = drawQuestion(draw, entries);
        const wanted = entries.filter((one) => sumByRules([one], { from, to, filters }).length > 0);
        assert.deepEqual(plain(await readAll(ledger, { from, to, filters })), plain(wanted.toReversed()));
        const [one] = wanted;
        if (one) assert.deepEqual(plain(await readAll(ledger, { from, to, filters, id: one.id })), plain([one]));
      }
    },
  },
  {
    title: "an unreadable page token is refused as invalid_request",
    async run(ledger) {
      for (const after of ["", "x", "-1", "1.5"]) {
        const thrown = await ledger.entries({ limit: 1, after }).catch((error: unknown) => error);
        assert.ok(isGatewayError(thrown) && thrown.code === "invalid_request", `token \`${after}\``);
      }
    },
  },
];

const usageCases: readonly ConformanceCase<Ledger>[] = [
  {
    title: "an empty ledger has no usage",
    run: async (ledger) => assert.deepEqual(await ledger.query(always), []),
  },
  {
    title: "a failed target is billed where it was asked, the request counts where it was served",
    async run(ledger) {
      const failed = attempt({
        provider: "anthropic",
        model: "anthropic/claude",
        status: 500,
        reason: "upstream_error",
        cost: 70,
      });
      await ledger.append([entry({ attempts: [failed, attempt({ cost: 30 })] })]);
      const rows = await ledger.query({ ...always, group_by: ["provider"] });
      const reported = rows.map(({ group, requests, attempts, cost }) => [group.provider, requests, attempts, cost]);
      assert.deepEqual(reported, [
        ["anthropic", 0, 1, 70],
        ["openai", 1, 1, 30],
      ]);
    },
  },
  {
    title: "sums of money are exact to the nano-dollar up to millions of dollars",
    async run(ledger) {
      const costs = [9_007_199_254_740_000, 991, 1];
      await ledger.append(costs.map((cost) => entry({ attempts: [attempt({ cost })] })));
      const [row] = await ledger.query(always);
      assert.equal(row?.cost, 9_007_199_254_740_992);
    },
  },
  {
    title: "any question gets the answer that looking at every entry gives",
    async run(ledger) {
      const draw = createDraw(5);
      const entries = await fill(ledger, { draw, count: 400 });
      for (let round = 0; round < 120; round++) {
        const question = drawQuestion(draw, entries);
        assert.deepEqual(await ledger.query(question), sumByRules(entries, question));
      }
    },
  },
  {
    title: "what is no dimension is refused as invalid_request, by its name",
    async run(ledger) {
      const wrong = "colour" as Dimension;
      for (const question of [{ group_by: [wrong] }, { filters: { [wrong]: "red" } }]) {
        const thrown = await ledger.query({ ...always, ...question }).catch((error: unknown) => error);
        assert.ok(isGatewayError(thrown) && thrown.param?.endsWith(".colour"));
      }
    },
  },
];

const pruneCases: readonly ConformanceCase<Ledger>[] = [
  {
    title: "pruning forgets the entries before an instant, and keeps the sums by day",
    async run(ledger) {
      const entries = await fill(ledger, { draw: createDraw(6), count: 300 });
      const before = midnight + 2 * day;
      const retained = entries.filter(({ at }) => at >= before);
      assert.equal(await ledger.prune({ before }), entries.length - retained.length);
      assert.deepEqual(plain(await readAll(ledger)), plain(retained.toReversed()));
      for (const group_by of [["day", "key_id", "model"], ["month"]] as const) {
        const question: UsageQuestion = { ...always, group_by };
        assert.deepEqual(await ledger.query(question), sumByRules(entries, question));
      }
      assert.equal(await ledger.prune({ before }), 0);
    },
  },
  {
    title: "pruning the sums as well forgets the days before the instant",
    async run(ledger) {
      const entries = await fill(ledger, { draw: createDraw(7), count: 300 });
      for (const days of [1, 3]) {
        const before = midnight + days * day;
        await ledger.prune({ before, sums: true });
        const retained = entries.filter(({ at }) => at >= before);
        for (const group_by of [["day", "customer_id"], ["month", "model", "key_id"], []] as const) {
          const question: UsageQuestion = { ...always, group_by };
          assert.deepEqual(await ledger.query(question), sumByRules(retained, question));
        }
      }
    },
  },
];

const lineCases: readonly ConformanceCase<Ledger>[] = [
  {
    title: "what is to be recovered, where anything is, is what was appended last, in the order of its end",
    async run(ledger) {
      const entries = await fill(ledger, { draw: createDraw(9), count: 50 });
      for (const { entries: reported } of [await ledger.inspect(0), await ledger.recover(0)])
        assert.deepEqual(plain(reported), plain(entries.slice(entries.length - reported.length)));
    },
  },
  {
    title: "a checkpoint draws a line: what came before is asked for as before, and is not to be recovered",
    async run(ledger) {
      const entries = await fill(ledger, { draw: createDraw(8), count: 50 });
      ledger.checkpoint();
      assert.deepEqual((await ledger.inspect(0)).entries, []);
      assert.deepEqual((await ledger.recover(0)).entries, []);
      assert.deepEqual(plain(await readAll(ledger)), plain(entries.toReversed()));
      assert.deepEqual(
        await ledger.query({ ...always, group_by: ["model"] }),
        sumByRules(entries, { ...always, group_by: ["model"] }),
      );
    },
  },
];

/** The rules of the Ledger port; each case wants a ledger that holds nothing. */
export const ledgerCases: readonly ConformanceCase<Ledger>[] = [
  ...entriesCases,
  ...usageCases,
  ...pruneCases,
  ...spanCases,
  targetlessCase,
  ...lineCases,
];
