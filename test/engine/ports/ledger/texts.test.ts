import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { readTags } from "../../../../src/engine/metering/labels.ts";
import { mostAttempts } from "../../../../src/engine/ports/ledger.ts";
import { scriptedEngine } from "../../../../src/testing/index.ts";
import { answer, engineOver, messages, record } from "../../support/support.ts";

const engineWith = () => scriptedEngine({ "a/m": [answer("hi")] }, { store: memoryStore(), requireKey: false });
const long = "x".repeat(100_000);
const everything = [{ provider: "*", allowed_models: ["*"] }];

describe("what strangers send", () => {
  it("is refused without a row of the ledger, and told in an event", async () => {
    const engine = engineWith();
    const settled = record(engine, "settled");
    const asked = engine.chat({ model: `a/${long}`, messages }, { key: "sk-tg-nobody" });
    await expect(asked).rejects.toMatchObject({ code: "virtual_key_not_found" });
    expect((await engine.usage.entries({ limit: 10 })).entries).toEqual([]);
    expect(settled).toMatchObject([{ status: 401, reason: "virtual_key_not_found" }]);
    expect(engine.inFlight).toBe(0);
  });
});

describe("what a key that is switched off asks", () => {
  it("is refused with a row of the ledger that names the key, and nothing is charged for it", async () => {
    const engine = engineWith();
    const settled = record(engine, "settled");
    const rate_limits = [{ request_max_limit: 5, request_reset_duration: "1h" as const }];
    const { key, value } = await engine.keys.create({ name: "k", provider_configs: everything, rate_limits });
    await engine.keys.update(key.id, { active: false });
    const refused = engine.chat({ model: "a/m", messages }, { key: value });
    await expect(refused).rejects.toMatchObject({ code: "virtual_key_blocked" });
    expect(settled).toMatchObject([{ status: 403, key_id: key.id }]);
    const { entries } = await engine.usage.entries({ limit: 10, filters: { key_id: key.id } });
    expect(entries).toMatchObject([{ reason: "virtual_key_blocked", attempts: [] }]);
    expect(await engine.usage.limits(key.id)).toMatchObject([{ used: 0 }]);
  });
});

describe("a caller's own texts in the ledger", () => {
  it("are no longer than what is kept, however long they were sent", async () => {
    const engine = engineWith();
    const { value } = await engine.keys.create({ name: "k", provider_configs: everything });
    const metadata = { [long]: long, ...Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`tag${at}`, at])) };
    await engine.chat({ model: "a/m", messages, user: long, metadata }, { key: value });
    const refused = engine.chat({ model: `a/${long}`, messages }, { key: value });
    await expect(refused).rejects.toMatchObject({ code: "invalid_request", param: "model" });
    const fallbacks = engine.chat({ model: "a/m", fallbacks: [`a/${long}`], messages }, { key: value });
    await expect(fallbacks).rejects.toMatchObject({ code: "invalid_request", param: "fallbacks.0" });
    const { entries } = await engine.usage.entries({ limit: 10 });
    expect(entries).toHaveLength(3);
    expect(entries.at(-1)?.user).toHaveLength(256);
    for (const entry of entries) expect(JSON.stringify(entry).length).toBeLessThan(6_000);
  });

  it.each([
    ["memory", memoryStore],
    ["sqlite", () => sqliteStore(":memory:")],
  ])(
    "are found again by what usage calls them, also when a character was cut in two or sent in half: %s",
    async (_, open) => {
      const engine = scriptedEngine({ "a/m": [answer("hi")] }, { store: open(), requireKey: false });
      const [user, tag, half] = [255, 511, 1].map((length) => `${"x".repeat(length)}\u{1f600}`);
      await engine.chat({ model: "a/m", messages, user, metadata: { tag, half: half?.slice(0, 2) } });
      const names = ["user", "metadata.tag", "metadata.half"] as const;
      const [row] = await engine.usage.query({ from: 0, to: Infinity, group_by: names });
      expect(names.map((name) => String(row?.group[name]).slice(-2))).toEqual(["x\ufffd", "x\ufffd", "x\ufffd"]);
      for (const name of names) {
        const filters = { [name]: row?.group[name] };
        expect(await engine.usage.query({ from: 0, to: Infinity, filters })).toMatchObject([{ requests: 1 }]);
      }
    },
  );

  it("are the tags that were sent, where these are short", () => {
    const anyTags = fc.dictionary(fc.string({ minLength: 1, maxLength: 64 }), fc.string({ maxLength: 512 }), {
      maxKeys: 64,
      minKeys: 1,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(anyTags, (tags) => {
        expect(readTags(tags, (text) => text)).toEqual(tags);
      }),
    );
  });
});

describe("the attempts of a request", () => {
  const failing = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      name: `p${at}`,
      chat: () =>
        Promise.reject(new GatewayError("upstream_error", "no", { upstream: { status: 404, message: "no" } })),
    }));

  it("are no more than a row of the ledger can hold, whoever could be asked: the next request has its own", async () => {
    const store = sqliteStore(":memory:");
    const { engine } = engineOver(failing(300), { store });
    const defects = record(engine, "defect");
    const provider_configs = [{ provider: "*", allowed_models: ["*"] }];
    const { value } = await engine.keys.create({ name: "k", provider_configs });
    await expect(engine.chat({ model: "m", messages }, { key: value })).rejects.toMatchObject({ status: 404 });
    await expect(engine.chat({ model: "p1/m", messages }, { key: value })).rejects.toMatchObject({ status: 404 });
    const { entries } = await engine.usage.entries({ limit: 10 });
    expect(entries.map(({ attempts }) => attempts.length <= mostAttempts && attempts[0]?.model)).toEqual([
      "p1/m",
      entries[1]?.attempts[0]?.model,
    ]);
    expect(entries[0]?.attempts).toHaveLength(1);
    expect(entries[1]?.attempts.length).toBeGreaterThan(200);
    expect(defects).toEqual([]);
  });

  it("are asked for by 64 fallbacks at most", async () => {
    const engine = engineWith();
    const fallbacks = Array.from({ length: 65 }, (_, at) => `a/${at}`);
    await expect(engine.chat({ model: "a/m", fallbacks, messages })).rejects.toMatchObject({
      code: "invalid_request",
      param: "fallbacks",
    });
  });
});
