import { describe, expect, it } from "vitest";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { createFetch } from "../../../../src/index.ts";
import { allPermissions } from "../../../../src/portal/permissions.ts";
import { callerAt, client, openOffice } from "../../support/areas/ai/office.ts";
import { openPriced, price, refusalOf } from "../../support/areas/ai/priced-office.ts";
import { noon, stores } from "../../support/rig.ts";

describe.each(stores)("price lists in the portal: %s", (_name, openStore) => {
  it("are shown with their sources and version, and read again on request", async () => {
    const { ai, clock, write, engine, store } = await openPriced(await openStore(), {
      "lab/a": price(1e-6),
      "lab/b": price(1e-6),
    });
    const before = await ai.prices({});
    expect(before).toMatchObject({
      sources: [
        { name: "built-in", kind: "built-in", is_rereadable: false },
        { name: "prices.json", kind: "file", is_rereadable: true, interval: 30 },
      ],
      synced_at: new Date(noon).toISOString(),
      warnings: [],
    });
    expect(before.models).toBeGreaterThan(2_000);
    expect(await ai.syncPrices({})).toEqual({
      version: before.version,
      is_changed: false,
      added: [],
      removed: [],
      changed: [],
    });
    await clock.advance(60_000);
    write({ "lab/a": price(3e-6), "lab/c": price(1e-6) });
    const { version, ...changes } = await ai.syncPrices({});
    expect(changes).toEqual({
      is_changed: true,
      added: ["lab/c"],
      removed: ["lab/b"],
      changed: [{ model: "lab/a", rate: "input_cost_per_token", before: 1e-6, after: 3e-6 }],
    });
    expect(version).not.toBe(before.version);
    expect(engine.offers.prices.find("lab", "a", 0)?.rates).toMatchObject(price(3e-6));
    expect(await ai.prices({})).toMatchObject({ version, synced_at: new Date(noon + 60_000).toISOString() });
    const { records } = await store.records.list("audit", { where: { operation: "ai.syncPrices" }, limit: 9 });
    expect(records.map(({ record }) => record.outcome)).toEqual(["ok", "ok"]);
  });

  it("stay when the source cannot be used, and say why until it can", async () => {
    const { ai, write, clock, store } = await openPriced(await openStore(), { "lab/a": price(1e-6) });
    const { version } = await ai.prices({});
    write("{");
    await expect(ai.syncPrices({})).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("prices.json"),
    });
    expect(await ai.prices({})).toMatchObject({
      version,
      failure: { at: new Date(clock.now()).toISOString(), message: expect.stringContaining("prices.json") },
    });
    const { records } = await store.records.list("audit", { where: { operation: "ai.syncPrices" }, limit: 9 });
    expect(records.map(({ record }) => record.outcome)).toEqual(["conflict"]);
    write({ "lab/a": price(2e-6) });
    await ai.syncPrices({});
    expect(await ai.prices({})).not.toHaveProperty("failure");
  });

  it("are the provider's alone, and without a list there is none to read", async () => {
    const office = await openOffice(await openStore());
    for (const place of [{ reseller: "acme" }, client, { ...client, user_id: "u-1" }]) {
      expect(await refusalOf(office.at(place).prices({}))).toBe("permission_denied");
      expect(await refusalOf(office.at(place).syncPrices({}))).toBe("permission_denied");
    }
    expect(await office.at({}).prices({})).toEqual({
      version: "office",
      sources: [],
      models: 4,
      unpriced_models: 1,
      warnings: [],
    });
    expect(await refusalOf(office.at({}).syncPrices({}))).toBe("invalid_request");
  });

  it("need the rows' own permissions", async () => {
    const { portal } = await openPriced(await openStore(), {});
    const lacking = (name: string) => new Set([...allPermissions].filter((each) => each !== name));
    const as = (name: string) => portal.as({ ...callerAt({}), permissions: lacking(name) }).ai;
    expect(await refusalOf(as("ai_prices-get").prices({}))).toBe("permission_denied");
    expect(await refusalOf(as("ai_prices_sync-post").syncPrices({}))).toBe("permission_denied");
  });
});

describe.each(stores)("prices of models in the portal: %s", (_name, openStore) => {
  it("are a list with filters, pages, search and order, for whoever may read rates", async () => {
    const list = {
      "lab/a": { ...price(3e-6), mode: "chat" },
      "lab/b": { mode: "chat", max_output_tokens: 5 },
      "lab/c": { ...price(1e-6), mode: "embedding" },
    };
    const { portal } = await openPriced(await openStore(), list);
    const ai = portal.as(callerAt(client)).ai;
    const all = await ai.modelPrices({ provider: "lab" });
    expect(all).toEqual([
      { id: "lab/a", provider: "lab", model: "a", mode: "chat", is_priced: true, ...price(3e-6) },
      { id: "lab/b", provider: "lab", model: "b", mode: "chat", max_output_tokens: 5, is_priced: false },
      { id: "lab/c", provider: "lab", model: "c", mode: "embedding", is_priced: true, ...price(1e-6) },
    ]);
    const idsOf = async (input: object) => (await ai.modelPrices(input)).map(({ id }) => id);
    expect(await idsOf({ provider: "lab", mode: "chat" })).toEqual(["lab/a", "lab/b"]);
    expect(await idsOf({ provider: "lab", is_priced: false })).toEqual(["lab/b"]);
    expect(await idsOf({ provider: "lab", search: "EMBED" })).toEqual(["lab/c"]);
    expect(await idsOf({ provider: "lab", sort: "-input_cost_per_token", limit: 1 })).toEqual(["lab/a"]);
    expect(await idsOf({ provider: "none" })).toEqual([]);
    expect(await refusalOf(ai.modelPrices({ provider: "lab", sort: "no_such_rate" } as object))).toBe(
      "invalid_request",
    );
    const whole = await idsOf({});
    expect(whole).toEqual(whole.toSorted());
    expect(whole.length).toBeGreaterThan(2_000);
    const pages: string[] = [];
    let after: string | undefined;
    do {
      let next: string | undefined;
      const paged = portal.as(callerAt(client), { onNext: (cursor) => (next = cursor) }).ai;
      pages.push(...(await paged.modelPrices({ limit: 1_000, after } as object)).map(({ id }) => id));
      after = next;
    } while (after !== undefined);
    expect(pages).toEqual(whole);
  });
});

it("the rows answer over HTTP", async () => {
  const [[, openStore] = []] = stores;
  const { engine, portal } = await openPriced(await (openStore as () => Promise<Store>)(), { "lab/a": price(1e-6) });
  const token = (await portal.startFirst())?.token ?? "";
  const fetch = createFetch(engine, { portal });
  const headers = { "auth-token": token, region: "local", "content-type": "application/json" };
  const shown = await fetch("http://gateway/ai/prices", { headers });
  expect([shown.status, await shown.json()]).toMatchObject([200, { version: engine.offers.prices.version }]);
  const synced = await fetch("http://gateway/ai/prices/sync", { method: "POST", headers });
  expect([synced.status, await synced.json()]).toMatchObject([200, { is_changed: false }]);
});
