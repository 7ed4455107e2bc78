import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aboveOf, placeAbove, placesOf, type QuotaEntry } from "../../../../console/src/screens/quotas/matrix.ts";

const entryOf = (reseller: string, client_id: string, limit: number): QuotaEntry => ({
  ...{ reseller, client_id, resource_id: "", limit, used: 0 },
});

describe("the matrix of quotas", () => {
  it("has each entry once, in its place and column, a place before those below it", () => {
    const entry = fc
      .tuple(fc.constantFrom("", "n", "o"), fc.constantFrom("", "a", "b"), fc.nat({ max: 9 }))
      .map(([reseller, client, limit]) => entryOf(reseller, reseller === "" ? "" : client, limit));
    const list = fc.uniqueArray(entry, { selector: ({ reseller, client_id }) => `${reseller} ${client_id}` });
    fc.assert(
      fc.property(fc.record({ cores: list, keys: list }), (quotas) => {
        const places = placesOf(quotas);
        const cells = places.flatMap((place) => Object.entries(place.cells));
        expect(cells).toHaveLength(quotas.cores.length + quotas.keys.length);
        for (const [name, cell] of cells) expect(quotas[name as keyof typeof quotas]).toContain(cell);
        const ids = places.map(({ id }) => id);
        for (const [position, place] of places.entries()) {
          const above = placeAbove(place);
          const at = above ? ids.indexOf([above.reseller, above.client_id, above.resource_id].join("\n")) : -1;
          expect(at).toBeLessThan(position);
        }
      }),
    );
  });

  it("tells what is left above: the limit there without what the others have", () => {
    const entries = [
      entryOf("", "", 1_000),
      entryOf("n", "", 100),
      entryOf("n", "a", 10),
      entryOf("n", "b", 25),
      entryOf("o", "", 300),
    ];
    const at = (reseller: string, client_id: string) => aboveOf(entries, { reseller, client_id, resource_id: "" });
    expect(at("n", "a")).toEqual({ limit: 100, given: 25, left: 75 });
    expect(at("n", "new")).toEqual({ limit: 100, given: 35, left: 65 });
    expect(at("n", "")).toEqual({ limit: 1_000, given: 300, left: 700 });
    expect([at("", ""), aboveOf([], { reseller: "n", client_id: "a", resource_id: "" })]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
