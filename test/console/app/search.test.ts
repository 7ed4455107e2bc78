import fc from "fast-check";
import { expect, it } from "vitest";
import { listOf, readSearch, type SearchValues, textOf, writeSearch } from "../../../console/src/app/search.ts";

const name = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text !== "__proto__");
const value = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.array(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 4 }),
);

it("what an address holds comes back as it was written", () => {
  fc.assert(
    fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (values) => {
      expect(readSearch(`?${writeSearch(values)}`)).toEqual(JSON.parse(JSON.stringify(values)));
    }),
  );
});

it("equal states have equal addresses, whatever their order", () => {
  expect(writeSearch({ b: "2", a: ["x", "y"] })).toBe(writeSearch({ a: ["x", "y"], b: "2" }));
  expect(writeSearch({ a: ["x", "y"], b: "2", c: undefined, d: "" })).toBe("a=x&a=y&b=2");
});

it("a value is read as a list or as one text", () => {
  const values: SearchValues = readSearch("?key=1&key=2&model=m");
  expect([listOf(values.key), listOf(values.model), listOf(values.none)]).toEqual([["1", "2"], ["m"], []]);
  expect([textOf(values.key), textOf(values.none), textOf(values.none, "x")]).toEqual(["1", "", "x"]);
});
