import assert from "node:assert/strict";
import type { Records } from "../../../engine/ports/records.ts";
import type { ConformanceCase } from "../case.ts";
import { customer, key, project } from "./drafts.ts";

/** Reads at most so often until changes are heard of: a store that does not hear of them yet has a new stamp at every look. */
const mostReads = 1_000;

async function waitForListener(records: Records): Promise<void> {
  for (let read = 0; read < mostReads; read++) {
    const stamp = records.stamp();
    if (stamp === records.stamp()) return;
    await records.get("key", "none");
  }
}

/** When the stamp of records moves. */
export const stamps: readonly ConformanceCase<Records>[] = [
  {
    title: "the stamp moves with every change, and not with reading",
    async run(records) {
      await waitForListener(records);
      const stamps = [records.stamp()];
      await records.put("key", key("k"), 0);
      stamps.push(records.stamp());
      await records.put("key", key("k"), 1);
      stamps.push(records.stamp());
      await records.remove("key", "k");
      stamps.push(records.stamp());
      assert.equal(new Set(stamps).size, 4);
      await records.get("key", "k");
      assert.equal(records.stamp(), stamps[3]);
    },
  },
  {
    title: "the stamp of some kinds moves with each of theirs, and with no other of this process",
    async run(records) {
      const kinds = ["key", "customer"] as const;
      await waitForListener(records);
      const stamps = [records.stamp(kinds)];
      await records.put("key", key("k"), 0);
      stamps.push(records.stamp(kinds));
      await records.put("customer", customer("c"), 0);
      stamps.push(records.stamp(kinds));
      await records.remove("key", "k");
      stamps.push(records.stamp(kinds));
      assert.equal(new Set(stamps).size, 4);
      const others = records.stamp(["project"]);
      await records.put("project", project("p"), 0);
      assert.equal(records.stamp(kinds), stamps[3]);
      assert.notEqual(records.stamp(["project"]), others);
    },
  },
];
