import fc from "fast-check";
import { expect, it } from "vitest";
import { missingNames } from "../../../../console/src/screens/settings/placeholders.ts";
import { isValueValid, propertyRows } from "../../../../console/src/screens/settings/property-rows.ts";
import { languages } from "../../../../src/portal/locales/languages.ts";
import { propertyCatalogue } from "../../../../src/portal/properties/area.ts";

it("every property that is set or read by the gateway has one row, in the order of names, with what counts", () => {
  const name = fc.constantFrom(...propertyCatalogue.map(({ property }) => property), "own.one", "own.two");
  const set = fc.uniqueArray(
    fc.record({ property: name, value: fc.string(), description: fc.string(), inherited: fc.boolean() }),
    {
      selector: ({ property }) => property,
    },
  );
  fc.assert(
    fc.property(set, (properties) => {
      const rows = propertyRows(properties, propertyCatalogue);
      const names = rows.map(({ property }) => property);
      expect(names).toEqual([...new Set([...names])].sort());
      for (const { property } of propertyCatalogue) expect(names).toContain(property);
      for (const { property, value, inherited } of properties)
        expect(rows.find((row) => row.property === property)).toMatchObject({
          value,
          source: inherited ? "inherited" : "own",
        });
      for (const row of rows.filter(({ source }) => source === "default"))
        expect(row.value).toBe(row.type?.default ?? "");
    }),
  );
});

it("a value is checked by the type of its property", () => {
  const [choice] = propertyCatalogue;
  const color = propertyCatalogue.find(({ type }) => type === "color");
  expect([isValueValid(choice, "de"), isValueValid(choice, "tlh")]).toEqual([true, false]);
  expect([isValueValid(color, "#1f5fa8"), isValueValid(color, "blue")]).toEqual([true, false]);
  expect([isValueValid(undefined, "anything"), isValueValid(undefined, "x".repeat(20_001))]).toEqual([true, false]);
});

it("no text of the gateway's languages lacks a name that its English has", () => {
  const english = languages.en?.texts ?? {};
  for (const [code, { texts }] of Object.entries(languages))
    for (const [key, translation] of Object.entries(texts))
      expect(missingNames(english[key] ?? "", translation), `${code} ${key}`).toEqual([]);
  expect(missingNames("{a} and {b} and {a}", "{b}")).toEqual(["{a}"]);
});
