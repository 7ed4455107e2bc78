import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { sqliteStore } from "../../../adapters/stores/sqlite/index.ts";
import { isDeep, sampleSeed } from "../../tiers/depth.ts";
import { openGateway } from "../support/gateway.ts";
import { asAdmin, countAudited, countChanged, manyRecordsCases, readStore } from "../support/many-records.ts";

afterEach(() => vi.restoreAllMocks());

/** From `arm` on, the n-th statement that writes and all after it fail, as those of a process that is gone. */
function killable() {
  let left = Number.POSITIVE_INFINITY;
  const prepare = DatabaseSync.prototype.prepare;
  vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function (this: DatabaseSync, sql: string) {
    const statement: StatementSync = prepare.call(this, sql);
    if (!/^\s*(INSERT|UPDATE|DELETE|COMMIT|WITH)/.test(sql)) return statement;
    const run = statement.run.bind(statement);
    const runOrDie = (...values: SQLInputValue[]) => {
      if (left-- <= 0) throw new Error("the process is gone");
      return run(...values);
    };
    Object.assign(statement, { run: runOrDie });
    return statement;
  });
  return {
    arm: (writes: number) => {
      left = writes;
    },
    isDead: () => left < 0,
  };
}

describe.each(manyRecordsCases)("$name on SQLite", ({ name, prepare }) => {
  it("killed at any of its writes, has changed everything or nothing, and the audit log says which", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-killed-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const death = killable();
    const sizes = new Set<number>();
    const step = isDeep ? 1 : 5;
    for (let writes = sampleSeed % step, isOver = false; !isOver; writes += step) {
      const path = join(folder, `${writes}.db`);
      const store = await sqliteStore(path);
      const run = await prepare(await asAdmin(await openGateway(store)));
      const before = await readStore(store.records);
      const audited = await countAudited(store, name);
      death.arm(writes);
      await run().catch(() => undefined);
      isOver = !death.isDead();
      death.arm(Number.POSITIVE_INFINITY);
      await store.close();
      const reopened = await sqliteStore(path);
      const size = countChanged(before, await readStore(reopened.records));
      const isAudited = (await countAudited(reopened, name)) > audited;
      await reopened.close();
      expect(size > 0).toBe(isAudited);
      if (isAudited) sizes.add(size);
    }
    expect(sizes.size).toBe(1);
    expect(Math.max(...sizes)).toBeGreaterThan(2);
  });
});
