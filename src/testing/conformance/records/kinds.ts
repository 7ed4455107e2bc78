import assert from "node:assert/strict";
import type { KindDefinitions, RecordKind, RecordKinds } from "../../../engine/ports/record-kinds.ts";
import type { Records, Where } from "../../../engine/ports/records.ts";
import type { ConformanceCase } from "../case.ts";
import { at, customer } from "./drafts.ts";

/** Kinds that no layer has: members of teams, which belong to customers. */
const defined = {
  team: { links: { customer_id: "customer", region: undefined } },
  member: {
    links: { team_id: "team" as RecordKind, owned_name: undefined },
    texts: ["id", "title"],
    owner: ({ team_id }: { readonly team_id?: string }) => [team_id],
  },
} as const satisfies KindDefinitions;

// seam: the types know the kinds of the layers alone
const team = "team" as RecordKind;
const member = "member" as RecordKind;

const draft = (id: string, fields: Readonly<Record<string, string>>): RecordKinds[RecordKind] =>
  ({ id, created_at: at(0), ...fields }) as unknown as RecordKinds[RecordKind];

const whereOf = (fields: Readonly<Record<string, string>>): Where<RecordKind> => fields as Where<RecordKind>;

async function listIds(records: Records, kind: RecordKind, question: { where?: Where<RecordKind>; search?: string }) {
  const page = await records.list(kind, { ...question, limit: 10 });
  return page.records.map(({ record }) => record.id);
}

/** A team of a customer with two members. */
async function fill(records: Records): Promise<void> {
  await records.put("customer", customer("c"), 0);
  await records.put(team, draft("t1", { customer_id: "c", region: "north" }), 0);
  await records.put(member, draft("m1", { team_id: "t1", name: "one", title: "A Winter" }), 0);
  await records.put(member, draft("m2", { team_id: "t1", name: "two", title: "A Summer" }), 0);
}

/** Kinds that are not the engine's own. */
export const kinds: readonly ConformanceCase<Records>[] = [
  {
    title: "a record of a kind that nobody defined is not written",
    async run(records) {
      await assert.rejects(async () => records.put(team, draft("t1", { region: "north" }), 0));
      assert.equal(await records.get(team, "t1"), undefined);
      assert.deepEqual(await listIds(records, team, {}), []);
    },
  },
  {
    title: "a kind that was defined is found by its links and its texts",
    async run(records) {
      records.define(defined);
      await fill(records);
      assert.deepEqual(await listIds(records, team, { where: whereOf({ region: "north" }) }), ["t1"]);
      assert.deepEqual(await listIds(records, team, { where: whereOf({ region: "south" }) }), []);
      assert.equal(await records.count(member, whereOf({ team_id: "t1" })), 2);
      assert.deepEqual(await listIds(records, member, { search: "winter" }), ["m1"]);
      await records.put(team, draft("t1", { customer_id: "c", region: "south" }), 1);
      assert.deepEqual(await listIds(records, team, { where: whereOf({ region: "north" }) }), []);
      assert.deepEqual(await listIds(records, team, { where: whereOf({ region: "south" }) }), ["t1"]);
    },
  },
  {
    title: "a record of such a kind needs what it names, and what it names is not removed before it",
    async run(records) {
      records.define(defined);
      const alone = draft("t1", { customer_id: "c" });
      assert.deepEqual(await records.put(team, alone, 0), { kind: "dangling", field: "customer_id" });
      await fill(records);
      assert.deepEqual(await records.remove(team, "t1"), { kind: "needed", by: member, count: 2 });
      assert.deepEqual(await records.remove("customer", "c"), { kind: "needed", by: team, count: 1 });
      for (const id of ["m1", "m2"]) assert.deepEqual(await records.remove(member, id), { kind: "removed" });
      assert.deepEqual(await records.remove(team, "t1"), { kind: "removed" });
      assert.deepEqual(await records.remove("customer", "c"), { kind: "removed" });
    },
  },
  {
    title: "names of such a kind are claimed with their owner",
    async run(records) {
      records.define(defined);
      await fill(records);
      const claimed = (id: string, name: string) =>
        records.batch([
          { kind: member, put: draft(id, { team_id: "t1", name }), expected: 0 },
          { kind: member, claimName: id },
        ]);
      const outcome = { kind: "taken", field: "name" } as const;
      assert.deepEqual(await claimed("m3", "one"), { kind: "refused", at: 1, outcome });
      assert.deepEqual(await claimed("m3", "three"), { kind: "stored" });
    },
  },
  {
    title: "a definition of a kind that is known changes nothing",
    async run(records) {
      records.define(defined);
      await fill(records);
      records.define(defined);
      records.define({ team: { links: {} }, member: { links: {} }, customer: { links: {} } });
      await records.put(team, draft("t2", { customer_id: "c", region: "north" }), 0);
      assert.deepEqual(await listIds(records, team, { where: whereOf({ region: "north" }) }), ["t1", "t2"]);
      assert.deepEqual(await records.remove(team, "t1"), { kind: "needed", by: member, count: 2 });
      await records.put("customer", customer("d", { metadata: { reseller: "r" } }), 0);
      assert.equal(await records.count("customer", { reseller: "r" }), 1);
    },
  },
];
