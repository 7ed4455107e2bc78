import assert from "node:assert/strict";
import { isGatewayError } from "../../../engine/errors.ts";
import type { ListQuestion, Records } from "../../../engine/ports/records.ts";
import type { ConformanceCase } from "../case.ts";
import { batches } from "./batches.ts";
import { at, customer, key, project } from "./drafts.ts";
import { kinds } from "./kinds.ts";
import { nameOrder } from "./name-order.ts";
import { names } from "./names.ts";
import { stamps } from "./stamps.ts";

/** Ids of all keys of a question, page by page. */
async function listKeys(records: Records, question: ListQuestion<"key">): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after: string | undefined; ; ) {
    const page = await records.list("key", { ...question, ...(after === undefined ? {} : { after }) });
    pages.push(page.records.map(({ record }) => record.id));
    if (page.next === undefined) return pages;
    after = page.next;
  }
}

const writing: readonly ConformanceCase<Records>[] = [
  {
    title: "what was never put is not there",
    async run(records) {
      assert.equal(await records.get("key", "k"), undefined);
      assert.equal(await records.findByHash("key", "hash-k"), undefined);
      assert.deepEqual(await records.list("key", { limit: 10 }), { records: [] });
      assert.equal(await records.count("key"), 0);
      assert.deepEqual(await records.remove("key", "k"), { kind: "missing" });
    },
  },
  {
    title: "a new record is version 1, each write one more, and it is read as it was written",
    async run(records) {
      const first = key("k", { metadata: { team: "ä\u0000'\"" }, expires_at: at(9) });
      assert.deepEqual(await records.put("key", first, 0), { kind: "stored", version: 1 });
      assert.deepEqual(await records.get("key", "k"), { version: 1, record: first });
      const second = key("k", { name: "other" });
      assert.deepEqual(await records.put("key", second, 1), { kind: "stored", version: 2 });
      assert.deepEqual(await records.get("key", "k"), { version: 2, record: second });
    },
  },
  {
    title: "a write that expects another version changes nothing and says which it is",
    async run(records) {
      assert.deepEqual(await records.put("key", key("k"), 1), { kind: "moved", version: 0 });
      await records.put("key", key("k"), 0);
      assert.deepEqual(await records.put("key", key("k", { name: "x" }), 0), { kind: "moved", version: 1 });
      assert.deepEqual(await records.put("key", key("k", { name: "x" }), 2), { kind: "moved", version: 1 });
      assert.equal((await records.get("key", "k"))?.record.name, "k");
    },
  },
  {
    title: "kinds do not meet: the same id may be used in each",
    async run(records) {
      await records.put("key", key("x"), 0);
      await records.put("customer", customer("x"), 0);
      assert.equal((await records.get("customer", "x"))?.version, 1);
      assert.equal(await records.get("project", "x"), undefined);
    },
  },
  {
    title: "what the caller does to an object afterwards does not reach the store",
    async run(records) {
      const record = key("k", { metadata: { a: "1" } });
      await records.put("key", record, 0);
      record.metadata.a = "2";
      assert.equal((await records.get("key", "k"))?.record.metadata.a, "1");
    },
  },
  {
    title: "writes at the same time: one of those that expect the same version wins",
    async run(records) {
      await records.put("key", key("k"), 0);
      const names = ["a", "b", "c", "d"];
      const outcomes = await Promise.all(names.map(async (name) => await records.put("key", key("k", { name }), 1)));
      assert.equal(outcomes.filter((outcome) => outcome.kind === "stored").length, 1);
    },
  },
];

const links: readonly ConformanceCase<Records>[] = [
  {
    title: "a key is found by its hash, by a new one after a change, and by none after its removal",
    async run(records) {
      await records.put("key", key("k", { hash: "one" }), 0);
      assert.equal((await records.findByHash("key", "one"))?.record.id, "k");
      await records.put("key", key("k", { hash: "two" }), 1);
      assert.equal(await records.findByHash("key", "one"), undefined);
      assert.equal((await records.findByHash("key", "two"))?.version, 2);
      await records.remove("key", "k");
      assert.equal(await records.findByHash("key", "two"), undefined);
    },
  },
  {
    title: "a hash belongs to one key",
    async run(records) {
      await records.put("key", key("k", { hash: "one" }), 0);
      assert.deepEqual(await records.put("key", key("l", { hash: "one" }), 0), { kind: "taken", field: "hash" });
      await records.remove("key", "k");
      assert.equal((await records.put("key", key("l", { hash: "one" }), 0)).kind, "stored");
    },
  },
  {
    title: "a record that names another needs it to be there",
    async run(records) {
      const outcome = await records.put("key", key("k", { project_id: "p" }), 0);
      assert.deepEqual(outcome, { kind: "dangling", field: "project_id" });
      await records.put("project", project("p"), 0);
      assert.equal(
        (await records.put("key", key("k", { project_id: "p", user: "nobody's record" }), 0)).kind,
        "stored",
      );
    },
  },
  {
    title: "a record that others name is not removed, and nothing is lost",
    async run(records) {
      await records.put("customer", customer("c"), 0);
      await records.put("project", project("p", { customer_id: "c" }), 0);
      await records.put("key", key("k", { project_id: "p" }), 0);
      await records.put("key", key("l", { project_id: "p" }), 0);
      assert.deepEqual(await records.remove("customer", "c"), { kind: "needed", by: "project", count: 1 });
      assert.deepEqual(await records.remove("project", "p"), { kind: "needed", by: "key", count: 2 });
      for (const id of ["k", "l"]) assert.deepEqual(await records.remove("key", id), { kind: "removed" });
      assert.deepEqual(await records.remove("project", "p"), { kind: "removed" });
      assert.equal(await records.get("project", "p"), undefined);
    },
  },
  {
    title: "a removal that expects another version removes nothing",
    async run(records) {
      await records.put("key", key("k"), 0);
      assert.deepEqual(await records.remove("key", "k", 2), { kind: "moved", version: 1 });
      assert.deepEqual(await records.remove("key", "k", 1), { kind: "removed" });
    },
  },
];

const lists: readonly ConformanceCase<Records>[] = [
  {
    title: "lists are in order of creation, then id, in pages that end without a next",
    async run(records) {
      for (const [id, second] of [
        ["d", 2],
        ["a", 3],
        ["c", 2],
        ["e", 1],
        ["b", 3],
      ] as const)
        await records.put("key", key(id, { created_at: at(second) }), 0);
      assert.deepEqual(await listKeys(records, { limit: 2 }), [["e", "c"], ["d", "a"], ["b"]]);
      assert.deepEqual(await listKeys(records, { limit: 5 }), [["e", "c", "d", "a", "b"]]);
    },
  },
  {
    title: "a page goes on behind the last one, whatever was put or removed meanwhile",
    async run(records) {
      for (const second of [1, 3, 5, 7]) await records.put("key", key(`k${second}`, { created_at: at(second) }), 0);
      const { next } = await records.list("key", { limit: 2 });
      await records.remove("key", "k3");
      await records.put("key", key("k2", { created_at: at(2) }), 0);
      await records.put("key", key("k4", { created_at: at(4) }), 0);
      assert.ok(next);
      const page = await records.list("key", { limit: 9, after: next });
      assert.deepEqual(
        page.records.map(({ record }) => record.id),
        ["k4", "k5", "k7"],
      );
    },
  },
  {
    title: "lists and counts by a field hold those that have the value now",
    async run(records) {
      for (const id of ["p", "q"]) await records.put("project", project(id), 0);
      for (const id of ["a", "b", "c"]) await records.put("key", key(id, { project_id: "p", user: "u" }), 0);
      await records.put("key", key("b", { project_id: "q" }), 1);
      await records.remove("key", "c");
      assert.deepEqual(await listKeys(records, { limit: 9, where: { project_id: "p" } }), [["a"]]);
      assert.deepEqual(await listKeys(records, { limit: 9, where: { project_id: "q" } }), [["b"]]);
      assert.deepEqual(await listKeys(records, { limit: 9, where: { user: "u" } }), [["a"]]);
      assert.deepEqual(await listKeys(records, { limit: 9, where: { user: "v" } }), [[]]);
      const counts = [
        await records.count("key"),
        await records.count("key", { project_id: "q" }),
        await records.count("project"),
      ];
      assert.deepEqual(counts, [2, 1, 2]);
    },
  },
  {
    title: "an unreadable page token is refused as invalid_request",
    async run(records) {
      for (const after of ["", "x", "bm8", "W10"]) {
        const thrown = await Promise.resolve()
          .then(() => records.list("key", { limit: 1, after }))
          .catch((error: unknown) => error);
        assert.ok(isGatewayError(thrown) && thrown.code === "invalid_request", `token \`${after}\``);
      }
    },
  },
];

/** The rules of the Records port; each case wants records that hold nothing. */
export const recordsCases: readonly ConformanceCase<Records>[] = [
  ...writing,
  ...links,
  ...lists,
  ...batches,
  ...names,
  ...kinds,
  ...nameOrder,
  ...stamps,
];
