import fc from "fast-check";
import { expect, test } from "vitest";
import { chooseLanguage } from "../../../src/portal/i18n/accept-language.ts";
import { renderText } from "../../../src/portal/locales/render.ts";

const known = new Set(["en", "de", "fr"]);
const range = fc.record({
  language: fc.constantFrom("en", "de", "fr", "nl", "*", "de-CH", "EN-us", "fr-x-y"),
  thousandths: fc.integer({ min: 0, max: 1_000 }),
});
const primaryOf = (language: string) => language.toLowerCase().split("-")[0] ?? "";

test("the known language with the highest weight is chosen, of equal weights the first; weight 0 refuses", () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 8 }), (ranges) => {
      const header = ranges.map(({ language, thousandths }) => `${language};q=${thousandths / 1_000}`).join(", ");
      const eligible = ranges.filter(({ language, thousandths }) => thousandths > 0 && known.has(primaryOf(language)));
      const best = eligible.reduce<(typeof eligible)[number] | undefined>(
        (found, one) => (found === undefined || one.thousandths > found.thousandths ? one : found),
        undefined,
      );
      expect(chooseLanguage(header, known)).toBe(best && primaryOf(best.language));
    }),
  );
});

test("any header is read, and chooses a known language or none", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (header) => {
      const chosen = chooseLanguage(header, known);
      expect(chosen === undefined || known.has(chosen)).toBe(true);
    }),
  );
  expect(chooseLanguage("de", known)).toBe("de");
  expect(chooseLanguage("nl, de;q=x, fr;q=0.2", known)).toBe("fr");
});

test("a parameter is filled in as it is, whatever it looks like; a text with braces stays one", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (name, other) => {
      const texts = new Map([[`kind.${other}`, "KIND"]]);
      const shown = renderText("<{name}> <{kind:other}> <{missing}>", { name, other }, texts);
      expect(shown).toBe(`<${name}> <KIND> <{missing}>`);
    }),
  );
});
