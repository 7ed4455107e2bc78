import assert from "node:assert/strict";
import type { ListQuestion, Records } from "../../../engine/ports/records.ts";
import type { ConformanceCase } from "../case.ts";
import { at, customer, key } from "./drafts.ts";

type Question = Omit<ListQuestion<"key">, "limit" | "after">;

/** Ids of all keys of a question, read in pages of this size. */
async function readIds(records: Records, question: Question, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = await records.list("key", { ...question, limit, after });
    ids.push(...page.records.map(({ record }) => record.id));
    after = page.next;
  } while (after !== undefined);
  return ids;
}

async function sees(records: Records, question: Question, expected: readonly string[]): Promise<void> {
  for (const limit of [1, 2, 100]) {
    assert.deepEqual(await readIds(records, { ...question, order: "name" }, limit), expected);
    assert.deepEqual(await readIds(records, { ...question, order: "name_reversed" }, limit), expected.toReversed());
  }
}

async function put(records: Records, id: string, parts: Parameters<typeof key>[1]): Promise<void> {
  assert.equal((await records.put("key", key(id, parts), 0)).kind, "stored");
}

/** Lists in order of names. */
export const nameOrder: readonly ConformanceCase<Records>[] = [
  {
    title: "lists are in order of names, by code points, then of creation, page by page and backwards",
    async run(records) {
      const names = [
        "Zeta",
        "alpha",
        "Alpha",
        "",
        "naïve",
        "nai",
        "漢字",
        "\u{1f600}",
        "\uffee",
        'it\'s "one"',
        "a\nb",
      ];
      for (const [n, name] of names.entries()) await put(records, `k${n}`, { name, created_at: at(n) });
      await put(records, "later", { name: "alpha", created_at: at(50) });
      const order = ["k3", "k2", "k0", "k10", "k1", "later", "k9", "k5", "k4", "k6", "k8", "k7"];
      await sees(records, {}, order);
      await sees(records, { from: at(2), until: at(9) }, ["k3", "k2", "k5", "k4", "k6", "k8", "k7"]);
    },
  },
  {
    title: "long names that begin alike are in order of creation",
    async run(records) {
      const long = "\u{1f600}".repeat(200);
      await put(records, "a", { name: `${long}z`, created_at: at(1) });
      await put(records, "b", { name: `${long}a`, created_at: at(2) });
      await put(records, "c", { name: long.slice(2), created_at: at(3) });
      await sees(records, {}, ["c", "a", "b"]);
    },
  },
  {
    title: "lists in order of names hold what has the values and the text",
    async run(records) {
      const make = (id: string, name: string, reseller: string) => put(records, id, { name, metadata: { reseller } });
      await make("1", "charlie one", "r");
      await make("2", "bravo one", "s");
      await make("3", "alpha two", "r");
      await make("4", "bravo one", "r");
      await sees(records, { where: { reseller: "r" } }, ["3", "4", "1"]);
      await sees(records, { search: "ONE" }, ["2", "4", "1"]);
      await sees(records, { where: { reseller: "r" }, search: "one" }, ["4", "1"]);
      await sees(records, { where: { reseller: "t" } }, []);
      await sees(records, { search: "nothing" }, []);
    },
  },
  {
    title: "where more than a thousand records have a value, they are in order of names too",
    async run(records) {
      const count = 1_010;
      const drafts = Array.from({ length: count }, (_, n) =>
        key(`k${n}`, {
          name: `name ${(n * 7) % count}`,
          metadata: { reseller: n % 100 ? "r" : "s" },
          created_at: at(n),
        }),
      );
      for (let first = 0; first < count; first += 505)
        await records.batch(
          drafts.slice(first, first + 505).map((each) => ({ kind: "key", put: each, expected: 0 }) as const),
        );
      const sorted = drafts.toSorted((one, other) => (one.name < other.name ? -1 : 1));
      const of = (wanted: typeof drafts) => wanted.map(({ id }) => id);
      const read = (question: Question) => readIds(records, { order: "name", ...question }, 400);
      assert.deepEqual(await read({}), of(sorted));
      assert.deepEqual(await read({ search: "name" }), of(sorted));
      const ofReseller = sorted.filter(({ metadata }) => metadata.reseller === "s");
      assert.deepEqual(await read({ where: { reseller: "s" }, search: "name" }), of(ofReseller));
      await records.batch(
        Array.from({ length: 11 }, (_, n) => {
          const more = key(`more${n}`, { name: `more ${n + 10}`, metadata: { reseller: "r" } });
          return { kind: "key", put: more, expected: 0 } as const;
        }),
      );
      const many = [...drafts.filter(({ metadata }) => metadata.reseller === "r")];
      const found = await read({ where: { reseller: "r" } });
      assert.equal(found.length, many.length + 11);
      assert.equal(found[0], "more0");
      assert.deepEqual(found.slice(11), of(sorted.filter(({ metadata }) => metadata.reseller === "r")));
    },
  },
  {
    title:
      "a page in order of names goes on behind a record that is gone or has another name; names are those of the last write",
    async run(records) {
      for (const id of ["a", "b", "c", "d"]) await put(records, id, {});
      const { next } = await records.list("key", { order: "name", limit: 2 });
      await records.remove("key", "b");
      const rest = await records.list("key", { order: "name", limit: 9, after: next });
      assert.deepEqual(
        rest.records.map(({ record }) => record.id),
        ["c", "d"],
      );
      await records.put("key", key("a", { name: "e" }), 1);
      await sees(records, {}, ["c", "d", "a"]);
    },
  },
  {
    title: "the order of names needs a page's token of such a list; a kind without names is listed by creation",
    async run(records) {
      for (const [n, id] of ["b", "a", "c"].entries()) await put(records, id, { created_at: at(n) });
      const { next } = await records.list("key", { limit: 1 });
      await assert.rejects(async () => records.list("key", { order: "name", limit: 1, after: next }), {
        code: "invalid_request",
      });
      await records.put("customer", customer("x", { name: "z" }), 0);
      await records.put("customer", customer("y", { name: "a" }), 0);
      const customers = await records.list("customer", { order: "name", limit: 2 });
      assert.deepEqual(
        customers.records.map(({ record }) => record.id),
        ["y", "x"],
      );
    },
  },
];
