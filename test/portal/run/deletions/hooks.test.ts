import { describe, expect, it } from "vitest";
import {
  type PortalRow,
  portalRows,
  type RowInput,
  type RowKey,
  rowKey,
} from "../../../../src/operations/portal/table.ts";
import {
  type CountedOperation,
  type CountedOperations,
  countedOperation,
  countedOperations,
} from "../../../../src/portal/quotas/counted-operations.ts";
import { countedQuotas } from "../../../../src/portal/quotas/usage.ts";
import type { DeletionHooks } from "../../../../src/portal/run/deletions.ts";
import { type Deletions, deletionHooks, deletions } from "../../../../src/portal/run/deletions.ts";

const keysOf = (has: (row: PortalRow) => boolean) => portalRows.filter(has).map(rowKey).sort();
const areasWithQuotas = new Set<string>(Object.values(countedQuotas).map(({ area }) => area));

describe("the hooks of the portal's operations", () => {
  it("have a row for every operation that deletes, and for no other", () => {
    expect(Object.keys(deletions).sort()).toEqual(keysOf(({ operation }) => operation.method === "DELETE"));
  });

  it("have a row for every operation that may create or move what a quota counts, and for no other", () => {
    const writes = (row: PortalRow) => ["POST", "PUT", "PATCH"].includes(row.operation.method);
    const expected = keysOf((row) => areasWithQuotas.has(row.area) && writes(row));
    expect(Object.keys(countedOperations).sort()).toEqual(expected);
  });

  it("are found by the row's key: each that the tables name is a function", () => {
    const { before, after } = deletionHooks("iaas.deleteProject");
    expect(before).toBe(deletions["iaas.deleteProject"].before);
    expect(after).toBe(deletions["iaas.deleteProject"].after);
    for (const hook of [before, after]) expect(hook).toBeTypeOf("function");
    expect(deletionHooks("users.delete")).toEqual({});
    expect(deletionHooks("users.list")).toEqual({});
    const counted = keysOf((row) => countedOperation(rowKey(row)) !== undefined);
    expect(counted).toEqual([
      "ai.assignKey",
      "ai.createKey",
      "ai.createProject",
      "iaas.createProject",
      "profiles.create",
      "users.create",
      "users.createToken",
    ]);
    for (const key of counted) expect(countedOperation(key)?.ownerOf).toBeTypeOf("function");
  });

  it("check every quota that the portal counts, in the area whose operations create it", () => {
    const rows = portalRows.flatMap(({ area, name }) => {
      const quota = countedOperation(rowKey({ area, name }))?.quota;
      return quota === undefined ? [] : [{ area, quota }];
    });
    expect(new Set(rows.map(({ quota }) => quota))).toEqual(new Set(Object.keys(countedQuotas)));
    for (const { area, quota } of rows) expect(area).toBe(countedQuotas[quota].area);
  });
});

describe("what does not compile", () => {
  it("is a key that no row has, or a row of another method or area", () => {
    // @ts-expect-error no operation has this name
    const misspelled: RowKey = "iaas.removeProject";
    // @ts-expect-error the row does not delete
    const created: RowKey<"DELETE"> = "iaas.createProject";
    // @ts-expect-error the row is in another area
    const elsewhere: RowKey<"DELETE", "users"> = "iaas.deleteProject";
    expect([misspelled, created, elsewhere]).toHaveLength(3);
  });

  it("is a table without one of the operations", () => {
    const { "users.delete": _deletion, ...someDeletions } = deletions;
    const { "users.create": _creation, ...someCreations } = countedOperations;
    // @ts-expect-error `users.delete` is missing
    const allDeletions: Deletions = someDeletions;
    // @ts-expect-error `users.create` is missing
    const allCreations: CountedOperations = someCreations;
    expect([allDeletions, allCreations]).toHaveLength(2);
  });

  it("is a table with an operation that the portal does not have", () => {
    const hooks = {
      ...deletions,
      // @ts-expect-error no operation has this name
      "users.remove": undefined,
    } satisfies Deletions;
    expect(Object.keys(hooks)).toContain("users.remove");
  });

  it("is a hook that reads a field which its own row's input does not have, or counts an unknown quota", () => {
    const hooks: DeletionHooks<RowInput<"users.delete">> = {
      // @ts-expect-error the input of `users.delete` has no `project_id`
      before: async ({ input }) => void input.project_id,
    };
    const foreign: DeletionHooks<RowInput<"users.delete">> = {
      // @ts-expect-error the hook is for another row's input
      after: deletions["iaas.deleteProject"].after,
    };
    const counted: CountedOperation<RowInput<"users.create">> = {
      // @ts-expect-error no quota has this name
      quota: "user",
      // @ts-expect-error the input of `users.create` has no `client`
      ownerOf: ({ client }) => ({ client_id: client }),
    };
    expect([hooks, foreign, counted]).toHaveLength(3);
  });
});
