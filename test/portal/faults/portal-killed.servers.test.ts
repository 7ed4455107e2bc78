import { describe, expect, it } from "vitest";
import type { PostgresClient, PostgresPool } from "../../../adapters/stores/postgres/index.ts";
import { postgresSuite } from "../../adapters/conformance/stores/postgres-suite.ts";
import { openGateway } from "../support/gateway.ts";
import { asAdmin, countAudited, countChanged, manyRecordsCases, readStore } from "../support/many-records.ts";

const suite = postgresSuite();

/** A pool whose connections are cut off, from `arm` on, before the n-th statement that writes. */
function killablePool(pool: PostgresPool) {
  let left = Number.POSITIVE_INFINITY;
  const mortal = (client: PostgresClient): PostgresClient =>
    new Proxy(client, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== "query") return typeof value === "function" ? value.bind(target) : value;
        return (question: { readonly text: string }, ...rest: readonly unknown[]) => {
          const writes = /^\s*(INSERT|UPDATE|DELETE|COMMIT|WITH)/.test(question.text);
          if (left < 0 || (writes && left-- <= 0)) return Promise.reject(new Error("the process is gone"));
          return Reflect.apply(value, target, [question, ...rest]);
        };
      },
    });
  return {
    pool: new Proxy(pool, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== "connect") return typeof value === "function" ? value.bind(target) : value;
        return async () => mortal(await target.connect());
      },
    }),
    arm: (writes: number) => {
      left = writes;
    },
    isDead: () => left < 0,
  };
}

describe.each(manyRecordsCases)("$name on PostgreSQL", ({ name, prepare }) => {
  it("cut off at any of its writes, has changed everything or nothing, and the audit log says which", async () => {
    const sizes = new Set<number>();
    for (let writes = 0, isOver = false; !isOver; writes++) {
      const schema = suite.newSchema();
      const death = killablePool(suite.server.pool(2));
      const store = suite.openStore(schema, death.pool);
      const run = await prepare(await asAdmin(await openGateway(store)));
      const before = await readStore(store.records);
      const audited = await countAudited(store, name);
      death.arm(writes);
      await run().catch(() => undefined);
      isOver = !death.isDead();
      death.arm(Number.POSITIVE_INFINITY);
      const seen = suite.openStore(schema);
      const size = countChanged(before, await readStore(seen.records));
      const isAudited = (await countAudited(seen, name)) > audited;
      expect(size > 0).toBe(isAudited);
      if (isAudited) sizes.add(size);
    }
    expect(sizes.size).toBe(1);
    expect(Math.max(...sizes)).toBeGreaterThan(2);
  });
});
