import assert from "node:assert/strict";
import type { ListQuestion, Records } from "../../../engine/ports/records.ts";
import type { ConformanceCase } from "../case.ts";
import { at, customer, key, project } from "./drafts.ts";

const idsOf = async (records: Records, question: Partial<ListQuestion<"key">>): Promise<string[]> =>
  (await records.list("key", { limit: 10, ...question })).records.map(({ record }) => record.id);

/** Writes that are done together, and lists by order, several fields and texts. */
export const batches: readonly ConformanceCase<Records>[] = [
  {
    title: "a batch writes one after the other: a later write may name what an earlier one made, or change it again",
    async run(records) {
      const outcome = await records.batch([
        { kind: "project", put: project("p"), expected: 0 },
        { kind: "key", put: key("k", { project_id: "p" }), expected: 0 },
        { kind: "key", put: key("k", { project_id: "p", name: "again" }), expected: 1 },
        { kind: "key", put: key("l"), expected: 0 },
        { kind: "key", remove: "l", expected: 1 },
      ]);
      assert.deepEqual(outcome, { kind: "stored" });
      assert.deepEqual(await records.get("key", "k"), {
        version: 2,
        record: key("k", { project_id: "p", name: "again" }),
      });
      assert.deepEqual(await idsOf(records, {}), ["k"]);
    },
  },
  {
    title: "a batch of which one write cannot be done writes nothing, and says which and why",
    async run(records) {
      await records.put("customer", customer("c"), 0);
      await records.put("key", key("k", { customer_id: "c", user: "u" }), 0);
      await records.get("key", "k");
      const first = [
        { kind: "key", put: key("n"), expected: 0 },
        { kind: "key", put: key("k", { name: "changed" }), expected: 1 },
      ] as const;
      const refused = async (...last: Parameters<Records["batch"]>[0]) => {
        const stamp = records.stamp(["customer"]);
        const outcome = await records.batch([...first, ...last]);
        assert.equal(records.stamp(["customer"]), stamp);
        assert.deepEqual(await records.get("key", "k"), {
          version: 1,
          record: key("k", { customer_id: "c", user: "u" }),
        });
        assert.deepEqual(await idsOf(records, {}), ["k"]);
        assert.deepEqual(await idsOf(records, { where: { user: "u" } }), ["k"]);
        assert.deepEqual(await idsOf(records, { search: "changed" }), []);
        return outcome;
      };
      assert.deepEqual(await refused({ kind: "customer", put: customer("c"), expected: 7 }), {
        ...{ kind: "refused", at: 2, outcome: { kind: "moved", version: 1 } },
      });
      assert.deepEqual(await refused({ kind: "key", put: key("m", { hash: "hash-k" }), expected: 0 }), {
        ...{ kind: "refused", at: 2, outcome: { kind: "taken", field: "hash" } },
      });
      assert.deepEqual(await refused({ kind: "key", put: key("m", { project_id: "p" }), expected: 0 }), {
        ...{ kind: "refused", at: 2, outcome: { kind: "dangling", field: "project_id" } },
      });
      const named = { kind: "key", put: key("m", { customer_id: "c" }), expected: 0 } as const;
      assert.deepEqual(await refused(named, { kind: "customer", remove: "c" }), {
        ...{ kind: "refused", at: 3, outcome: { kind: "needed", by: "key", count: 1 } },
      });
      assert.deepEqual(await refused({ kind: "customer", remove: "none" }), {
        ...{ kind: "refused", at: 2, outcome: { kind: "missing" } },
      });
    },
  },
  {
    title: "a batch moves the stamp of each kind that it wrote",
    async run(records) {
      await records.get("key", "k");
      const stamps = [records.stamp(["key"]), records.stamp(["project"])];
      await records.batch([{ kind: "key", put: key("k"), expected: 0 }]);
      assert.notEqual(records.stamp(["key"]), stamps[0]);
      assert.equal(records.stamp(["project"]), stamps[1]);
    },
  },
  {
    title: "lists are newest first where they are asked to be, page by page",
    async run(records) {
      for (const second of [1, 2, 2, 3, 4]) {
        const id = `k${second}${(await records.count("key")) + 1}`;
        await records.put("key", key(id, { created_at: at(second) }), 0);
      }
      const pages: string[][] = [];
      for (let after: string | undefined; ; ) {
        const page = await records.list("key", { limit: 2, order: "newest", after });
        pages.push(page.records.map(({ record }) => record.id));
        after = page.next;
        if (after === undefined) break;
      }
      assert.deepEqual(pages, [["k45", "k34"], ["k23", "k22"], ["k11"]]);
      assert.deepEqual(await idsOf(records, { order: "newest", from: at(2), until: at(4) }), ["k34", "k23", "k22"]);
      assert.deepEqual(await idsOf(records, { from: at(3) }), ["k34", "k45"]);
    },
  },
  {
    title: "lists and counts by several fields hold what has all the values; the levels of a tenant are among them",
    async run(records) {
      await records.put("project", project("p"), 0);
      const make = (id: string, user: string, reseller: string) =>
        records.put("key", key(id, { user, metadata: { reseller }, ...(id > "b" ? { project_id: "p" } : {}) }), 0);
      await make("a", "u", "r");
      await make("b", "v", "r");
      await make("c", "u", "r");
      await make("d", "u", "s");
      const where = { user: "u", reseller: "r" };
      assert.deepEqual(await idsOf(records, { where }), ["a", "c"]);
      assert.deepEqual(await idsOf(records, { where: { ...where, project_id: "p" } }), ["c"]);
      assert.deepEqual(await idsOf(records, { where: { ...where, reseller: "t" } }), []);
      assert.deepEqual(
        [await records.count("key", where), await records.count("key", { ...where, user: "w" })],
        [2, 0],
      );
    },
  },
  {
    title: "a search finds a text within the fields of a kind, in any letter case, as they are now",
    async run(records) {
      await records.put("key", key("k1", { name: "Büro 100%", user: "ann" }), 0);
      await records.put("key", key("k2", { name: "lab_rat", user: "ann" }), 0);
      await records.put("key", key("k3", { name: "lab", user: "bob", description: "of the BÜRO" }), 0);
      assert.deepEqual(await idsOf(records, { search: "büro" }), ["k1", "k3"]);
      assert.deepEqual(await idsOf(records, { search: "LAB", order: "newest" }), ["k3", "k2"]);
      assert.deepEqual(await idsOf(records, { search: "lab", where: { user: "ann" } }), ["k2"]);
      for (const [search, found] of [
        ["%", "k1"],
        ["_", "k2"],
      ] as const)
        assert.deepEqual(await idsOf(records, { search }), [found]);
      await records.put("key", key("k3", { name: "attic" }), 1);
      await records.remove("key", "k2");
      assert.deepEqual(await idsOf(records, { search: "lab" }), []);
      assert.deepEqual(await idsOf(records, { search: "attic" }), ["k3"]);
      const { records: pageOne, next } = await records.list("key", { limit: 1, search: "k" });
      assert.deepEqual([pageOne[0]?.record.id, await idsOf(records, { search: "k", after: next })], ["k1", ["k3"]]);
    },
  },
];
