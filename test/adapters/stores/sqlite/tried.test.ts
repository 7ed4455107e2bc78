import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { multiply } from "../../../../src/engine/metering/money.ts";
import type { LedgerAttempt, LedgerEntry } from "../../../../src/engine/ports/ledger.ts";
import type { LineItem } from "../../../../src/engine/ports/prices.ts";
import { downgrade } from "../../support/downgrade.ts";
import { anAttempt, anEntryOf } from "../../support/entries.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-tried-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newPath = () => join(folder, `${files++}.db`);

const small = fc.nat(1_000);
const item = fc.record({
  unit: fc.constantFrom("input_tokens", "output_tokens"),
  quantity: small,
  rate: small,
  amount: small,
  basis: fc.constantFrom("input_cost_per_token", "output_cost_per_token × 2"),
});
/** A plain bill: its items follow from the counts of tokens. */
function plainBill({ prompt_tokens, completion_tokens }: Tokens, [input, output]: readonly [number, number]) {
  const units = { input_tokens: [prompt_tokens, input], output_tokens: [completion_tokens, output] } as const;
  return Object.entries(units).map(([unit, [quantity, rate]]) => {
    return { unit, quantity, rate, amount: multiply(quantity, rate), basis: `${unit} of a test` };
  });
}

type Tokens = Pick<LedgerAttempt, "prompt_tokens" | "completion_tokens">;

/** What becomes of a plain bill: some have no completion, some an item more, and of some an item does not follow from the counts. */
const anyBill = fc.record({
  rates: fc.constantFrom([2_500_700, 10_000_500] as const, [2_500_700, 499] as const, [0, 1] as const),
  items: fc.constantFrom(1, 2, 3),
  odd: fc.constantFrom(undefined, "amount" as const, "quantity" as const),
  at: fc.constantFrom(0, 1),
});

const anyAttempt: fc.Arbitrary<LedgerAttempt> = fc
  .record({
    at: fc.integer({ min: 0, max: 2e12 }),
    provider: fc.constantFrom("a", "b"),
    credential: fc.constantFrom(undefined, "main"),
    status: fc.constantFrom(200, 429, 502),
    reason: fc.constantFrom("ok" as const, "upstream_timeout" as const, "upstream_error" as const),
    latency: small,
    time_to_first_token: fc.option(small, { nil: undefined }),
    prompt_tokens: small,
    completion_tokens: small,
    cached_read_tokens: fc.constantFrom(0, 7),
    cached_write_tokens: fc.constantFrom(0, 8),
    reasoning_tokens: fc.constantFrom(0, 9),
    cost: small,
    items: fc.oneof(fc.array(item, { maxLength: 2 }), anyBill),
    price_version: fc.constantFrom(undefined, "2026-11-18"),
    is_estimated: fc.boolean(),
    is_unpriced: fc.boolean(),
  })
  .map(({ items: drawn, ...attempt }) => ({
    ...attempt,
    items: itemsOf(drawn, attempt),
    model: `${attempt.provider}/m`,
  }));

type Bill = typeof anyBill extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function itemsOf(drawn: readonly LineItem[] | Bill, tokens: Tokens): readonly LineItem[] {
  if (!("rates" in drawn)) return drawn;
  const { rates, items, odd, at } = drawn;
  const another = { unit: "requests", quantity: 1, rate: 1_000, amount: 1, basis: "input_cost_per_request" };
  return [...plainBill(tokens, rates), another]
    .slice(0, items)
    .map((line, position) => (odd && position === at ? { ...line, [odd]: line[odd] + 1 } : line));
}

const anyEntry: fc.Arbitrary<LedgerEntry> = fc
  .record({
    status: fc.constantFrom(200, 429, 502),
    reason: fc.constantFrom("ok" as const, "upstream_timeout" as const, "upstream_error" as const),
    at: fc.integer({ min: 0, max: 2e12 }),
    attempts: fc.array(anyAttempt, { maxLength: 3 }),
  })
  .map((parts) => anEntryOf(parts));

/** All entries of a file, in the order in which they were written. */
async function readAll(path: string): Promise<readonly LedgerEntry[]> {
  const store = sqliteStore(path);
  const { entries } = await store.ledger.entries({ limit: 100 });
  await store.close();
  return entries.toReversed();
}

describe("attempts in the rows of their requests", () => {
  it("are read as they were written, also from files that hold all of them in rows of their own", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyEntry, { minLength: 1, maxLength: 6 }),
        fc.array(anyEntry, { maxLength: 3 }),
        fc.constantFrom(1, 2),
        async (entries, later, version) => {
          const [path, old] = [newPath(), newPath()];
          const store = sqliteStore(path);
          await store.ledger.append(entries);
          downgrade(path, old, version);
          await store.close();
          expect(await readAll(path)).toEqual(entries);
          const upgraded = sqliteStore(old);
          await upgraded.ledger.append(later);
          await upgraded.close();
          expect(await readAll(old)).toEqual([...entries, ...later]);
        },
      ),
      { numRuns: 40 },
    ));

  it("are rows one by one in the view of attempts, in words, and requests in theirs", () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyEntry, { minLength: 1, maxLength: 6 }), async (entries) => {
        const path = newPath();
        const store = sqliteStore(path);
        await store.ledger.append(entries);
        await store.close();
        const file = new DatabaseSync(path, { readOnly: true });
        const rows = (view: string, order: string) => file.prepare(`SELECT * FROM ${view} ORDER BY ${order}`).all();
        expect(rows("ledger_request", "id").map(toShort)).toEqual(entries.map(toShort));
        const attempts = entries.flatMap(({ id, attempts }) =>
          attempts.map((attempt, position) => ({ ...plainly(attempt), event_id: id, number: position + 1 })),
        );
        const seen = rows("ledger_attempt", "request, number").map(({ request: _number, items, ...row }) => {
          return { ...row, items: JSON.parse(String(items)) };
        });
        expect(seen).toEqual(attempts);
        file.close();
      }),
      { numRuns: 40 },
    ));

  it("of a request are 255 at most, all kept", async () => {
    const path = newPath();
    const store = sqliteStore(path);
    const entry = anEntryOf({ attempts: Array.from({ length: 255 }, (_, latency) => anAttempt({ latency })) });
    await store.ledger.append([entry]);
    await store.close();
    expect(await readAll(path)).toEqual([entry]);
  });
});

function toShort({ status, reason, at, latency, key_id }: Record<string, unknown> | LedgerEntry) {
  return { status, reason, at, latency, key_id };
}

/** As SQL tells it: null for what is not there, 1 for what is true. */
function plainly({ is_estimated, is_unpriced, ...attempt }: LedgerAttempt) {
  const { credential = null, time_to_first_token = null, price_version = null } = attempt;
  const marks = { is_estimated: Number(is_estimated), is_unpriced: Number(is_unpriced) };
  return { ...attempt, ...marks, credential, time_to_first_token, price_version };
}
