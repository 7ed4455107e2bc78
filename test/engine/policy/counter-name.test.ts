import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type NamedCounter,
  nameCounter,
  nameUserCounter,
  readCounterName,
} from "../../../src/engine/policy/counter-name.ts";

const anyPattern = fc.constantFrom("*", "openai/*", "gpt-5", "openrouter/meta-llama/*", "a,b", "user", "since:5");
const anyCounter: fc.Arbitrary<NamedCounter> = fc
  .record(
    {
      level: fc.constantFrom("entry", "key", "project", "customer" as const),
      owner: fc.constantFrom("vk_1", "prj.a-b"),
      unit: fc.constantFrom("requests", "tokens", "cost" as const),
      duration: fc.constantFrom("1m", "1M", "never" as const),
      isCalendar: fc.boolean(),
      models: fc.uniqueArray(anyPattern, { minLength: 1 }).map((list) => list.sort()),
      user: fc.oneof(
        fc.string({ unit: "grapheme" }).filter((text) => text.isWellFormed()),
        fc.constant("*"),
      ),
      since: fc.nat(),
    },
    { requiredKeys: ["level", "owner", "unit", "duration", "isCalendar"] },
  )
  .map((counter) => ({
    ...counter,
    owner: counter.level === "entry" ? `${counter.owner}/openai` : counter.owner,
    ...(counter.isCalendar
      ? { calendar: { timezone: "America/Argentina/Ushuaia", weekStart: "sunday" as const } }
      : {}),
  }));

describe("the name of a counter", () => {
  it("says all that it counts", () =>
    fc.assert(
      fc.property(anyCounter, (counter) => {
        const read = readCounterName(nameCounter(counter));
        expect(read).toEqual({ calendar: undefined, models: undefined, user: undefined, since: undefined, ...counter });
      }),
    ));

  it("differs for what counts otherwise", () =>
    fc.assert(
      fc.property(anyCounter, anyCounter, (one, other) => {
        if (JSON.stringify(one) !== JSON.stringify(other)) expect(nameCounter(one)).not.toBe(nameCounter(other));
      }),
    ));

  it("of one end user comes from that of each", () =>
    fc.assert(
      fc.property(anyCounter, fc.string({ unit: "binary" }), (counter, user) => {
        const each = nameCounter({ ...counter, user: "*" });
        expect(readCounterName(nameUserCounter(each, user)).user).toBe(user.toWellFormed());
      }),
    ));

  it("is what it was for limits that count every call", () => {
    const plain = { level: "entry", owner: "vk_1/openai", unit: "cost", duration: "1M", isCalendar: true } as const;
    expect(nameCounter(plain)).toBe("entry/vk_1/openai/cost/1M/calendar");
    expect(nameCounter({ ...plain, level: "key", owner: "vk_1", isCalendar: false })).toBe("key/vk_1/cost/1M");
  });
});
