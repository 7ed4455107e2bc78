import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageOf } from "../../../src/portal/run/paging.ts";
import { openGateway } from "../support/gateway.ts";
import { stores } from "../support/rig.ts";

const elements = fc.array(fc.record({ name: fc.string({ maxLength: 3 }), size: fc.nat(9) }), { maxLength: 30 });

/** All pages of a list, one after the other. */
function readPages(list: readonly object[], page: { limit: number; search?: string; sort?: string }): unknown[] {
  const read: unknown[] = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const cursor: string = after;
    after = undefined;
    const part = pageOf(list, { ...page, ...(cursor && { after: cursor }) }, (next) => {
      after = next;
    });
    expect(part.length).toBeLessThanOrEqual(page.limit);
    read.push(...part);
  }
  return read;
}

describe("pages of a list", () => {
  const withIds = elements.map((list) => list.map((one, at) => ({ id: `id-${at}`, ...one })));

  it("together are the list, in its order", () => {
    fc.assert(
      fc.property(withIds, fc.integer({ min: 1, max: 7 }), (list, limit) => {
        expect(readPages(list, { limit })).toEqual(list);
      }),
    );
  });

  it("are of what a search finds, in the order of the field that is sorted by", () => {
    fc.assert(
      fc.property(
        withIds,
        fc.integer({ min: 1, max: 7 }),
        fc.string({ minLength: 1, maxLength: 2 }),
        (list, limit, search) => {
          const found = readPages(list, { limit, search });
          const wanted = search.toLowerCase();
          expect(found).toEqual(
            list.filter(({ id, name }) => id.includes(wanted) || name.toLowerCase().includes(wanted)),
          );
          const sizes = (readPages(list, { limit, sort: "-size" }) as { size: number }[]).map(({ size }) => size);
          expect(sizes).toEqual(list.map(({ size }) => size).sort((one, other) => other - one));
        },
      ),
    );
  });

  it("go on behind an element that has moved", () => {
    const list = ["a", "b", "c", "d"].map((id) => ({ id }));
    let next = "";
    pageOf(list, { limit: 2 }, (cursor) => {
      next = cursor;
    });
    expect(pageOf(list.slice(1), { limit: 2, after: next }, () => {})).toEqual([{ id: "c" }, { id: "d" }]);
  });
});

describe.each(stores)("lists over HTTP: %s", (_name, open) => {
  it.each(["/users", "/ai/keys"])("%s comes in pages, and is searched", async (path) => {
    const gateway = await openGateway(await open());
    for (const name of ["ada", "bob", "cyd"]) {
      await gateway.ask({ method: "POST", path: "/users", body: { username: name } });
      const key = { name, description: "", tier: "standard", user_bound: false };
      await gateway.ask({ method: "POST", path: "/ai/keys", body: key });
    }
    const all = (await gateway.ask({ method: "GET", path })).body as { id: string }[];
    const seen: unknown[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page = await gateway.ask({ method: "GET", path: `${path}?limit=2${after && `&after=${after}`}` });
      seen.push(...(page.body as unknown[]));
      after = page.headers["x-tg-next"];
    }
    expect(seen).toEqual(all);
    const found = await gateway.ask({ method: "GET", path: `${path}?search=BO&limit=5` });
    expect(found.body).toHaveLength(1);
    for (const query of ["limit=0", "after=x&limit=1", "sort=colour", "sort=a%20b"]) {
      const refused = await gateway.ask({ method: "GET", path: `${path}?${query}` });
      expect([query, refused.status]).toEqual([query, 400]);
    }
  });
});
