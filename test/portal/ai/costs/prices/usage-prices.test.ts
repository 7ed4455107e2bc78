import { describe, expect, it } from "vitest";
import type { UsageQuestion } from "../../../../../src/engine/ports/ledger.ts";
import { client, openOffice, tiers } from "../../../support/areas/ai/office.ts";
import { noon, stores } from "../../../support/rig.ts";

const hour = 3_600_000;
const span = { from: new Date(noon - hour).toISOString(), to: new Date(noon + 48 * hour).toISOString() };
const uplift = { acme: [{ provider: "one", percent: 12.5 }, { percent: 3 }] };
const draft = { description: "", user_bound: false, tier: "full" };

describe.each(stores)("usage with prices: %s", (_name, open) => {
  /** Two tenants, one with an uplift, a deleted key, requests over some hours, refused ones among them. */
  async function openYear(withUplift: boolean) {
    const store = await open();
    const asked: UsageQuestion[] = [];
    const query = (question: UsageQuestion) => {
      asked.push(question);
      return store.ledger.query(question);
    };
    const office = await openOffice(
      { ...store, ledger: { ...store.ledger, query } },
      { tiers, ...(withUplift ? { uplift } : {}) },
    );
    const own = await office.at(client).createKey({ ...draft, name: "own" });
    const gone = await office.at(client).createKey({ ...draft, name: "gone" });
    const other = await office.at({ reseller: "other" }).createKey({ ...draft, name: "other" });
    const calls = [
      [own, "one/small"],
      [own, "two/large"],
      [own, "no/such"],
      [gone, "one/large"],
      [other, "one/large"],
      [other, "two/free"],
    ] as const;
    for (const [{ value }, model] of calls) {
      await office.chat(value, model);
      await office.clock.advance(hour);
    }
    await office.at(client).deleteKey({ key_id: gone.id });
    asked.length = 0;
    return { office, asked };
  }

  it.each([true, false])("sums equal the list of requests, with an uplift: %s", async (withUplift) => {
    const { office } = await openYear(withUplift);
    for (const place of [{}, { reseller: "acme" }, client, { reseller: "other" }]) {
      const ai = office.at(place);
      const list = await ai.requests({ ...span, limit: 200 });
      const of = (count: (one: (typeof list)[number]) => number) => list.reduce((sum, one) => sum + count(one), 0);
      for (const shape of [
        {},
        { group_by: ["key_id"] },
        { group_by: ["provider", "model"], interval: "hour" as const },
      ]) {
        const rows = await ai.usage({ ...span, ...shape });
        const total = (name: "cost" | "price" | "saved" | "requests" | "refused" | "prompt_tokens") =>
          rows.reduce((sum, row) => sum + row[name], 0);
        for (const name of ["cost", "price", "saved", "prompt_tokens"] as const)
          expect([name, total(name)]).toEqual([
            name,
            expect.closeTo(
              of((one) => one[name]),
              8,
            ),
          ]);
        expect(total("requests")).toBe(list.length);
        expect(total("refused")).toBe(
          of(({ attempt_count, status }) => (attempt_count === 0 && status >= 400 ? 1 : 0)),
        );
      }
    }
    const [acme] = await office.at({ reseller: "acme" }).usage(span);
    expect(acme).toMatchObject({ requests: 4, refused: 1, cost: 0.006 });
    expect(acme?.price).toBeCloseTo(withUplift ? 0.004 * 1.125 + 0.002 * 1.03 : 0.006, 9);
  });

  it("keys, projects and their cost tell refused requests apart", async () => {
    const { office } = await openYear(false);
    const ai = office.at(client);
    const [own] = await ai.keys({});
    expect(own?.tokens_usage).toMatchObject({ requests: 3, refused: 1, cost: 0.004 });
    expect((await ai.keyCost({ key_id: own?.id ?? "" })).usage).toMatchObject({
      "one/small": { requests: 1, refused: 0 },
    });
  });

  it.each([
    ["hour", "UTC"],
    ["hour", "Europe/Rome"],
    ["day", "UTC"],
    ["month", "UTC"],
  ] as const)("by %s in %s is one question to the ledger", async (interval, timezone) => {
    const { office, asked } = await openYear(true);
    const rows = await office.at({}).usage({ ...span, interval, timezone, group_by: ["provider"] });
    expect(asked).toHaveLength(1);
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(6);
    if (interval === "hour")
      expect(rows.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4, 5].map((n) => new Date(noon + n * hour).toISOString()));
  });
});
