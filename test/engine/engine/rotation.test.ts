import { describe, expect, it } from "vitest";
import { governed, pricesOf, vendor } from "../support/money/world.ts";

const rates = { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 };
const prices = pricesOf({ "a/m": rates });
const question = { model: "a/m", messages: [{ role: "user" as const, content: "x" }], max_completion_tokens: 10 };

async function rotated(overlap?: number) {
  const world = await governed(vendor(), [{ dollars: 1 }], { prices });
  const made = await world.engine.keys.rotate(world.key.id, overlap === undefined ? {} : { overlap });
  const outcome = (key: string) =>
    world.engine.chat(question, { key }).then(
      () => "served",
      (error: { code: string }) => error.code,
    );
  return { ...world, made, call: outcome };
}

describe("a rotated key", () => {
  it("keeps its id, its counters and its history over 1,000 calls with either value, none of which is refused", async () => {
    const world = await governed(vendor(), [{ dollars: 1 }], { prices });
    let values = [world.value];
    const asked: Promise<unknown>[] = [];
    for (let count = 0; count < 1_000; count++) {
      if (count === 500) values = [world.value, (await world.engine.keys.rotate(world.key.id)).value];
      asked.push(world.engine.chat(question, { key: values[count % values.length] as string }));
    }
    await Promise.all(asked);
    const [limit] = await world.engine.usage.limits(world.key.id);
    expect(limit).toMatchObject({ used: 0.02, used_nano: 1_000 * 20_000, reserved: 0 });
    const [row] = await world.engine.usage.query({ from: 0, to: Infinity, group_by: ["key_id"] });
    expect(row).toMatchObject({ requests: 1_000, failures: 0, group: { key_id: world.key.id } });
  });

  it("has a new value, and is accepted by that of before until the overlap ends, not a millisecond longer", async () => {
    const { value, made, call, clock, key } = await rotated(60_000);
    expect(made.value).not.toBe(value);
    expect(made.key).toMatchObject({ id: key.id, name: key.name, last4: made.value.slice(-4) });
    await clock.advance(59_999);
    expect([await call(value), await call(made.value)]).toEqual(["served", "served"]);
    await clock.advance(1);
    expect([await call(value), await call(made.value)]).toEqual(["virtual_key_blocked", "served"]);
  });

  it("is refused under its old value at once where there is no overlap", async () => {
    const { value, made, call } = await rotated(0);
    expect([await call(value), await call(made.value)]).toEqual(["virtual_key_not_found", "served"]);
  });

  it("may be rotated again: each value has its own end, and what has ended is forgotten", async () => {
    const { engine, key, value, made, call, clock } = await rotated(60_000);
    const third = await engine.keys.rotate(key.id, { overlap: 30_000 });
    expect([await call(value), await call(made.value), await call(third.value)]).toEqual([
      "served",
      "served",
      "served",
    ]);
    await clock.advance(30_000);
    expect([await call(value), await call(made.value)]).toEqual(["served", "virtual_key_blocked"]);
    await engine.keys.rotate(key.id, { overlap: 1 });
    expect(await call(made.value)).toBe("virtual_key_not_found");
  });

  it("is switched off, expires and is deleted with all its values", async () => {
    const { engine, key, value, made, call } = await rotated();
    await engine.keys.update(key.id, { active: false });
    expect([await call(value), await call(made.value)]).toEqual(["virtual_key_blocked", "virtual_key_blocked"]);
    await engine.keys.remove(key.id);
    expect([await call(value), await call(made.value)]).toEqual(["virtual_key_not_found", "virtual_key_not_found"]);
  });

  it.each([-1, 1.5, Number.NaN, 1e12])("refuses an overlap of %s", async (overlap) => {
    await expect(rotated(overlap)).rejects.toMatchObject({ code: "invalid_request", param: "overlap" });
  });

  it("has to be there", async () => {
    const { engine } = await rotated();
    await expect(engine.keys.rotate("vk_none")).rejects.toMatchObject({ code: "not_found" });
  });
});
