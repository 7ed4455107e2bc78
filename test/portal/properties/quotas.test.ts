import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { isGatewayError } from "../../../src/engine/errors.ts";
import type { Records } from "../../../src/engine/ports/records.ts";
import type { StoredQuota } from "../../../src/operations/records/quotas.ts";
import { type QuotaScope, quotaId } from "../../../src/portal/quotas/limits.ts";
import { setLimit } from "../../../src/portal/quotas/set.ts";
import { withPortalKinds } from "../../portal-kinds.ts";

const word = fc.constantFrom("a", "b");
const scope: fc.Arbitrary<QuotaScope> = fc.oneof(
  fc.constant({ reseller: null, client_id: null, resource_id: null }),
  fc.record({ reseller: word, client_id: fc.constant(null), resource_id: fc.constant(null) }),
  fc.record({ reseller: word, client_id: word, resource_id: fc.constant(null) }),
  fc.record({ reseller: word, client_id: word, resource_id: word }),
  fc.record({ reseller: word, client_id: fc.constant(null), resource_id: word }),
);

const wish = fc.record({ scope, limit: fc.nat({ max: 20 }), used: fc.nat({ max: 3 }) });
type Wish = typeof wish extends fc.Arbitrary<infer W> ? W : never;

const now = "2026-11-20T12:00:00.000Z";
const keyOf = (at: QuotaScope) => ({ region: "eu-1", quota: "cores", scope: at });

/** Every scope's limit, by its path; those directly below it are found by theirs. */
const pathOf = ({ reseller, client_id, resource_id }: QuotaScope) =>
  [reseller, client_id, resource_id === null ? null : `#${resource_id}`].filter((step) => step !== null);

async function limitsIn(records: Records): Promise<Map<string, StoredQuota>> {
  const page = await records.list("quota", { limit: 1_000 });
  return new Map(page.records.map(({ record }) => [pathOf(record).join("/"), record]));
}

function checkSums(limits: ReadonlyMap<string, StoredQuota>): void {
  for (const [path, { limit }] of limits) {
    const depth = path === "" ? 0 : path.split("/").length;
    const below = [...limits].filter(
      ([other]) =>
        (path === "" || other.startsWith(`${path}/`)) && other !== "" && other.split("/").length === depth + 1,
    );
    const sum = below.reduce((total, [, record]) => total + (record.limit ?? 0), 0);
    expect(sum).toBeLessThanOrEqual(limit ?? Number.POSITIVE_INFINITY);
  }
}

/** What the rule itself says of a wish, worked out from the limits alone. */
function isAllowed({ scope: at, limit, used }: Wish, limits: ReadonlyMap<string, StoredQuota>): boolean {
  const path = pathOf(at);
  const inside = (parent: readonly string[], other: string) =>
    other !== "" &&
    other.split("/").length === parent.length + 1 &&
    other.split("/").slice(0, -1).join("/") === parent.join("/");
  const sumBelow = (parent: readonly string[], without: string) =>
    [...limits].reduce(
      (sum, [other, record]) => (inside(parent, other) && other !== without ? sum + (record.limit ?? 0) : sum),
      0,
    );
  if (limit < used || limit < sumBelow(path, "-")) return false;
  if (path.length === 0) return true;
  const above = path.slice(0, -1);
  const parent = limits.get(above.join("/"))?.limit ?? (above.length === 0 ? Number.POSITIVE_INFINITY : undefined);
  return parent !== undefined && sumBelow(above, path.join("/")) + limit <= parent;
}

test("for any tree and any sequence of limits, a limit is set exactly when the rule allows it, and no children add up beyond their parent", async () => {
  const told = fc.asyncProperty(fc.array(wish, { maxLength: 25 }), async (wishes) => {
    const { records } = withPortalKinds(memoryStore());
    for (const one of wishes) {
      const before = await limitsIn(records);
      const key = keyOf(one.scope);
      const outcome = await setLimit(records, { key, limit: one.limit, used: one.used, now }).then(
        () => true,
        (thrown) => {
          expect(isGatewayError(thrown) && ["conflict", "quota_exceeded"].includes(thrown.code)).toBe(true);
          return false;
        },
      );
      expect(outcome).toBe(isAllowed(one, before));
      const after = await limitsIn(records);
      if (outcome) expect(after.get(pathOf(one.scope).join("/"))?.limit).toBe(one.limit);
      else expect([...after].map(limitOnly)).toEqual([...before].map(limitOnly));
      checkSums(after);
    }
  });
  await fc.assert(told, { numRuns: 150 });
});

const limitOnly = ([path, { limit, allotted }]: [string, StoredQuota]) => [path, limit, allotted];

test("what was set and taken back leaves everything as it was", async () => {
  const told = fc.asyncProperty(fc.array(wish, { maxLength: 10 }), wish, async (wishes, last) => {
    const { records } = withPortalKinds(memoryStore());
    const set = ({ scope: at, limit, used }: Wish) => setLimit(records, { key: keyOf(at), limit, used, now });
    for (const one of wishes) await set(one).catch(() => undefined);
    const before = await limitsIn(records);
    await set(last).then(
      ({ undo }) => undo(),
      () => undefined,
    );
    const after = await limitsIn(records);
    const given = (limits: ReadonlyMap<string, StoredQuota>) =>
      [...limits]
        .map(limitOnly)
        .filter(([, limit, allotted]) => limit !== null || Object.keys(allotted as object).length > 0);
    expect(given(after)).toEqual(given(before));
  });
  await fc.assert(told, { numRuns: 150 });
});

test("cut off after any write, limits still do not add up beyond the parent's, and the same call again ends well", async () => {
  const told = fc.asyncProperty(
    fc.array(wish, { maxLength: 12 }),
    wish,
    fc.integer({ min: 0, max: 2 }),
    async (wishes, last, writes) => {
      const { records } = withPortalKinds(memoryStore());
      const set = (over: Records, { scope: at, limit, used }: Wish) =>
        setLimit(over, { key: keyOf(at), limit, used, now });
      for (const one of wishes) await set(records, one).catch(() => undefined);
      const allowed = isAllowed(last, await limitsIn(records));
      let left = writes;
      const cut: Records = {
        ...records,
        put(kind, record, expected) {
          if (left-- <= 0) throw new Error("the process died");
          return records.put(kind, record, expected);
        },
      };
      await set(cut, last).catch(() => undefined);
      checkSums(await limitsIn(records));
      if (allowed) await set(records, last);
      checkSums(await limitsIn(records));
    },
  );
  await fc.assert(told, { numRuns: 150 });
});

test("each scope, region and quota has a record of its own", () => {
  const key = fc.record({ region: word, quota: word, scope });
  fc.assert(
    fc.property(key, key, (one, other) => {
      const same = JSON.stringify([one.region, one.quota, pathOf(one.scope)]);
      const isSame = same === JSON.stringify([other.region, other.quota, pathOf(other.scope)]);
      expect(quotaId(one) === quotaId(other)).toBe(isSame);
    }),
  );
});
