import assert from "node:assert/strict";
import type { Ledger, LedgerEntry } from "../../../engine/ports/ledger.ts";
import type { ConformanceCase } from "../case.ts";
import { createDraw } from "../draw.ts";
import { attempt, day, entry, midnight } from "./entries.ts";

const keys = ["vk_0", "vk_1", "vk_2", "vk_3", "vk_4"];
const asked = [...keys, "vk_rare", "vk_never", ""];

/** The instant of the newest of the entries of each key. */
function newestOf(entries: readonly LedgerEntry[]): Map<string, number> {
  return new Map(entries.flatMap(({ key_id, at }) => (key_id === undefined ? [] : [[key_id, at] as const])));
}

/** The rules about when keys were last used. */
export const lastUsedCases: readonly ConformanceCase<Ledger>[] = [
  {
    title: "the newest request of each key is known, refused ones included, however long ago it was",
    async run(ledger) {
      const draw = createDraw(11);
      const entries: LedgerEntry[] = [];
      const append = async (count: number, ids: readonly string[], step: number) => {
        for (let number = 0; number < count; number += 1) {
          const at = (entries.at(-1)?.at ?? midnight - 65 * day) + 1 + draw(step);
          const key_id = draw(6) === 0 ? undefined : ids[draw(ids.length)];
          const isRefused = draw(4) === 0;
          entries.push(
            entry({
              id: `evt_${entries.length}`,
              at,
              key_id,
              status: isRefused ? 402 : 200,
              reason: isRefused ? "budget_exceeded" : "ok",
              attempts: isRefused ? [] : [attempt({ at })],
            }),
          );
          await ledger.append(entries.slice(-1));
        }
        assert.deepEqual(toSorted(await ledger.lastUsed(asked)), toSorted(newestOf(entries)));
      };
      assert.deepEqual(await ledger.lastUsed(asked), new Map());
      await append(3, ["vk_rare"], day);
      await append(60, keys, 2 * day); // over more than two months
      await append(10, keys.slice(0, 2), day / 4); // the others were used longer ago
      ledger.checkpoint();
      await append(5, keys.slice(1, 2), 1_000);
      assert.deepEqual(await ledger.lastUsed([]), new Map());
      assert.deepEqual(await ledger.lastUsed(["vk_3"]), new Map([["vk_3", newestOf(entries).get("vk_3")]]));
    },
  },
  {
    title: "a key whose requests are pruned has no last use",
    async run(ledger) {
      await ledger.append([
        entry({ id: "evt_1", key_id: "vk_0", at: midnight }),
        entry({ id: "evt_2", key_id: "vk_1", at: midnight + 2 * day }),
      ]);
      await ledger.prune({ before: midnight + day });
      assert.deepEqual(await ledger.lastUsed(["vk_0", "vk_1"]), new Map([["vk_1", midnight + 2 * day]]));
    },
  },
];

function toSorted(found: ReadonlyMap<string, number>): [string, number][] {
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1));
}
