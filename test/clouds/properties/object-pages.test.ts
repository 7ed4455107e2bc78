import fc from "fast-check";
import { expect, test } from "vitest";
import { cutPage } from "../../../adapters/clouds/local/objectstore/listing.ts";
import { readPage, writeMarker } from "../../../adapters/clouds/shared/objectstore/listing.ts";

const anyKey = fc.array(fc.constantFrom("a", "b", "/", "ä", "\u{1F600}", "\uFFFD", " "), {
  minLength: 1,
  maxLength: 5,
});
const anyKeys = fc.uniqueArray(
  anyKey.map((parts) => parts.join("")),
  { maxLength: 12 },
);
const versionOf = (key: string) => ({ key, version_id: "1", isDeleted: false, size: key.length, sum: "" });

test("pages of any size give every key once, in the order of its bytes, or the part before its delimiter", () => {
  const anyQuestion = fc.record({
    keys: anyKeys,
    prefix: fc.constantFrom("", "a", "a/"),
    delimiter: fc.constantFrom("", "/"),
    limit: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(anyQuestion, ({ keys, prefix, delimiter, limit }) => {
      const found: { key: string; is_prefix: boolean }[] = [];
      for (let marker: string | undefined, pages = 0; pages < 20; pages++) {
        const page = cutPage(keys.map(versionOf), { prefix, delimiter, limit, marker });
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        found.push(...page.entries);
        if (page.next === undefined) break;
        // The marker goes through a header and comes back.
        marker = readPage({ page: { after: writeMarker(page.next) as string } }).marker;
      }
      const shown = found.map(({ key }) => key);
      const expected = new Set(
        keys
          .filter((key) => key.startsWith(prefix))
          .map((key) => {
            const rest = key.slice(prefix.length).split("/");
            return delimiter === "" || rest.length === 1 ? key : `${prefix}${rest[0]}/`;
          }),
      );
      expect(new Set(shown)).toEqual(expected);
      expect(shown).toEqual([...expected].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
    }),
    { numRuns: 500 },
  );
});
