import assert from "node:assert/strict";
import { ownedNameOf } from "../../../engine/ports/owned-names.ts";
import { engineKinds } from "../../../engine/ports/record-kinds.ts";
import type { RecordKinds, Records, RecordWrite } from "../../../engine/ports/records.ts";
import type { ConformanceCase } from "../case.ts";
import { at, key, project } from "./drafts.ts";

const stored = { kind: "stored" } as const;
const refused = { kind: "refused", at: 1, outcome: { kind: "taken", field: "name" } } as const;

type Key = RecordKinds["key"];

/** Writes a key that claims its name. */
async function claim(records: Records, put: Key, expected = 0) {
  return records.batch([
    { kind: "key", put, expected },
    { kind: "key", claimName: put.id },
  ]);
}

const hasNone = async (records: Records, id: string) => assert.equal(await records.get("key", id), undefined);

/** Names that records claim, and records found by their names. */
export const names: readonly ConformanceCase<Records>[] = [
  {
    title:
      "a name that is claimed is refused where another record of the owner has it, and nothing of the batch is written",
    async run(records) {
      for (const id of ["p", "q"]) await records.put("project", project(id), 0);
      assert.deepEqual(await claim(records, key("k", { name: "a", project_id: "p" })), stored);
      assert.deepEqual(await claim(records, key("l", { name: "a", project_id: "p" })), refused);
      await hasNone(records, "l");
      assert.deepEqual(await claim(records, key("l", { name: "A", project_id: "p" })), stored);
      assert.deepEqual(await claim(records, key("m", { name: "a", project_id: "q" })), stored);
      assert.deepEqual(await claim(records, key("n", { name: "a", metadata: { reseller: "r" } })), stored);
      assert.deepEqual(await claim(records, key("o", { name: "a", metadata: { reseller: "r" } })), refused);
      assert.deepEqual(await claim(records, key("o", { name: "a", metadata: { reseller: "r" }, user: "u" })), stored);
      const long = "x".repeat(5_000);
      assert.deepEqual(await claim(records, key("v", { name: `${long}1` })), stored);
      assert.deepEqual(await claim(records, key("w", { name: `${long}2` })), stored);
      assert.deepEqual(await claim(records, key("x", { name: `${long}2` })), refused);
    },
  },
  {
    title: "names are compared in their composed form",
    async run(records) {
      assert.deepEqual(await claim(records, key("k", { name: "caf\u00e9" })), stored);
      assert.deepEqual(await claim(records, key("l", { name: "cafe\u0301" })), refused);
      assert.deepEqual(await claim(records, key("l", { name: "cafe" })), stored);
    },
  },
  {
    title: "a claim looks at what its batch leaves: names that it frees, and records that it removes",
    async run(records) {
      await records.put("key", key("k", { name: "a" }), 0);
      await records.put("key", key("l", { name: "b" }), 0);
      assert.deepEqual(await claim(records, key("l", { name: "a" }), 1), refused);
      const swap: readonly RecordWrite[] = [
        { kind: "key", put: key("k", { name: "b" }), expected: 1 },
        { kind: "key", put: key("l", { name: "a" }), expected: 1 },
        { kind: "key", claimName: "k" },
        { kind: "key", claimName: "l" },
      ];
      assert.deepEqual(await records.batch(swap), stored);
      const replace: readonly RecordWrite[] = [
        { kind: "key", put: key("m", { name: "a" }), expected: 0 },
        { kind: "key", remove: "l" },
        { kind: "key", claimName: "m" },
        { kind: "key", claimName: "l" },
      ];
      assert.deepEqual(await records.batch(replace), stored);
      await records.remove("key", "m");
      assert.deepEqual(await claim(records, key("n", { name: "a" })), stored);
    },
  },
  {
    title: "without a claim two records may have one name, and both are found by it",
    async run(records) {
      const all = ["k", "l"].map((id, second) => key(id, { name: "a", created_at: at(second) }));
      for (const each of all) assert.deepEqual(await records.put("key", each, 0), { kind: "stored", version: 1 });
      await records.put("key", key("m"), 0);
      const owned_name = ownedNameOf(engineKinds, "key", key("other", { name: "a" })) ?? "";
      const listed = async () => (await records.list("key", { where: { owned_name }, limit: 9 })).records;
      assert.deepEqual(
        (await listed()).map(({ record }) => record.id),
        ["k", "l"],
      );
      await records.put("key", key("k", { name: "other" }), 1);
      assert.deepEqual(
        (await listed()).map(({ record }) => record.id),
        ["l"],
      );
    },
  },
  {
    title: "of claims of one name at once one is stored",
    async run(records) {
      const all = Array.from({ length: 8 }, (_, index) => key(`k${index}`, { name: "a" }));
      const outcomes = await Promise.all(all.map((each) => claim(records, each)));
      assert.equal(outcomes.filter(({ kind }) => kind === "stored").length, 1);
      assert.equal(await records.count("key"), 1);
    },
  },
];
