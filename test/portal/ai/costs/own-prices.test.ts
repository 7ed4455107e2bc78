import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../../../adapters/prices/catalogue/index.ts";
import { callerAt, client, openOffice } from "../../support/areas/ai/office.ts";
import { openPriced, price, refusalOf } from "../../support/areas/ai/priced-office.ts";
import { noon, stores } from "../../support/rig.ts";

describe.each(stores)("own prices: %s", (_name, openStore) => {
  const rates = { input_cost_per_token: 7e-6, output_cost_per_token: 9e-6 };

  it("win over the list, bill the next call, and are taken by other processes and after a restart", async () => {
    const store = await openStore();
    const { ai, engine, portal, write } = await openPriced(store, { "one/a": price(1e-6) });
    const set = await ai.setOwnPrice({ model: "One/a", rates });
    expect(set).toEqual([{ model: "one/a", rates, set_at: new Date(noon).toISOString(), set_by: expect.any(String) }]);
    const rateOf = (of: typeof engine) => of.offers.prices.find("one", "a", noon)?.rates?.input_cost_per_token;
    expect(rateOf(engine)).toBe(7e-6);
    expect((await ai.prices({})).sources.at(-1)).toEqual({ name: "portal", kind: "portal", is_rereadable: false });
    const { usage } = await engine.chat({ model: "one/a", messages: [{ role: "user", content: "hello" }] });
    expect(usage?.cost?.total_cost).toBeCloseTo(
      7e-6 * (usage?.prompt_tokens ?? 0) + 9e-6 * (usage?.completion_tokens ?? 0),
      12,
    );
    write({ "one/a": price(3e-6) });
    await ai.syncPrices({}); // the file changes below it
    expect(rateOf(engine)).toBe(7e-6);

    const other = await openPriced(store, { "one/a": price(1e-6) });
    expect(rateOf(other.engine)).toBe(1e-6);
    await other.portal.loadSettings();
    expect(rateOf(other.engine)).toBe(7e-6);
    const stop = portal.start(() => {});
    await other.ai.setOwnPrice({ model: "one/a", rates: null });
    expect(rateOf(other.engine)).toBe(1e-6);
    await portal.loadSettings();
    expect(rateOf(engine)).toBe(3e-6);
    expect(await ai.ownPrices({})).toEqual([]);
    await stop();
  });

  it("and a file that is read meanwhile both hold, whichever is ready first", async () => {
    const { ai, engine, write, source } = await openPriced(await openStore(), {
      "one/a": price(1e-6),
      "one/b": price(1e-6),
    });
    const rateOf = (model: string) => engine.offers.prices.find("one", model, noon)?.rates?.input_cost_per_token;
    const applyOwn = await source.prepareOwn?.({ "one/a": [price(5e-6)] });
    write({ "one/b": price(2e-6) });
    const renewed = ai.syncPrices({});
    applyOwn?.();
    await renewed;
    expect([rateOf("a"), rateOf("b")]).toEqual([5e-6, 2e-6]);
    const applyLater = await source.prepareOwn?.({ "one/a": [price(6e-6)] });
    write({ "one/b": price(3e-6), "one/c": price(1) });
    await ai.syncPrices({});
    applyLater?.();
    expect([rateOf("a"), rateOf("b")]).toEqual([6e-6, 3e-6]);
  });

  it("change on their days, and some rates alone are laid over the known ones", async () => {
    const { ai, engine } = await openPriced(await openStore(), { "one/a": price(1e-6) });
    const days = ["2031-01-01", "2030-01-01"];
    for (const effective_from of days) await ai.setOwnPrice({ model: "one/a", effective_from, rates });
    await ai.setOwnPrice({ model: "one/a", effective_from: "2031-01-01", rates: { input_cost_per_token: 1 } });
    expect((await ai.ownPrices({})).map((own) => own.effective_from)).toEqual(days.toReversed());
    const ratesAt = (day: string) => engine.offers.prices.find("one", "a", Date.parse(day))?.rates;
    expect(ratesAt("2029-12-31")).toMatchObject(price(1e-6));
    expect(ratesAt("2030-01-01")).toMatchObject(rates);
    expect(ratesAt("2031-01-01")).toMatchObject({ input_cost_per_token: 1 });
    await ai.setOwnPrice({ model: "one/a", effective_from: "2030-01-01", rates: null });
    expect(ratesAt("2030-06-01")).toMatchObject(price(1e-6));
  });

  it("that cannot be used are refused and change nothing; tenants set none", async () => {
    const { ai, engine, portal } = await openPriced(await openStore(), { "one/a": price(1e-6) });
    const tries: readonly [object, string][] = [
      [{ model: "a", rates }, "model"],
      [{ model: "one/", rates }, "model"],
      [{ model: "one/*b", rates }, "model"],
      [{ model: "one/a", rates: {} }, "rates"],
      [{ model: "one/a", rates: { input_cost_per_token: -1 } }, "rates.input_cost_per_token"],
      [{ model: "one/a", rates: { input_cost_per_token: 1e-15 } }, "rates.input_cost_per_token"],
      [{ model: "one/a", rates: { input_price: 1 } }, "rates.input_price"],
      [{ model: "one/a", rates, effective_from: "2026-02-31" }, "effective_from"],
    ];
    for (const [input, param] of tries)
      await expect(ai.setOwnPrice(input as never)).rejects.toMatchObject({ code: "invalid_request", param });
    await expect(ai.setOwnPrice({ model: "one/a", rates: null })).rejects.toMatchObject({ code: "not_found" });
    expect(await ai.ownPrices({})).toEqual([]);
    expect(engine.offers.prices.find("one", "a", noon)?.rates?.input_cost_per_token).toBe(1e-6);
    const tenant = portal.as(callerAt(client)).ai;
    expect(await refusalOf(tenant.setOwnPrice({ model: "one/a", rates }))).toBe("permission_denied");
    expect(await refusalOf(tenant.ownPrices({}))).toBe("permission_denied");
  });

  it("are refused with a reason where the portal has no list that takes them", async () => {
    const { portal } = await openOffice(await openStore());
    const { ai } = portal.as(callerAt({}));
    await expect(ai.setOwnPrice({ model: "one/a", rates })).rejects.toMatchObject({ code: "not_implemented" });
  });
});

it("own prices hold from their first day on whatever the list says, and the list before", () => {
  const day = (nth: number) => new Date(noon + nth * 86_400_000).toISOString().slice(0, 10);
  const entry = fc.record({ nth: fc.option(fc.nat(9), { nil: undefined }), input: fc.integer({ min: 1, max: 999 }) });
  const entries = fc.uniqueArray(entry, { minLength: 1, maxLength: 4, selector: ({ nth }) => nth });
  const listOf = (drawn: readonly { nth: number | undefined; input: number }[]) => ({
    "one/a": drawn.map(({ nth, input }) => ({
      ...price(input),
      ...(nth === undefined ? {} : { effective_from: day(nth) }),
    })),
  });
  fc.assert(
    fc.property(entries, entries, fc.nat(10), (list, own, now) => {
      const rateIn = (drawn: typeof list) =>
        drawn.filter(({ nth = -1 }) => nth <= now).sort((a, b) => (b.nth ?? -1) - (a.nth ?? -1))[0]?.input;
      const { find } = catalogue({ overrides: listOf(list), own: listOf(own) });
      const found = find("one", "a", Date.parse(day(now)))?.rates?.input_cost_per_token;
      expect(found).toBe(rateIn(own) ?? rateIn(list));
    }),
  );
});
