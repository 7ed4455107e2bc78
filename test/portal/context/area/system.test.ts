import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import { migrations } from "../../../../adapters/stores/sqlite/schema.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { createEngine } from "../../../../src/index.ts";
import { operator } from "../../../../src/portal/call/operator.ts";
import { createPortal } from "../../../../src/portal/index.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { noon, stores } from "../../support/rig.ts";

const memory = { rss: 3, heap_used: 1, heap_total: 2 };

function openSystem(store: Store, records = store.records) {
  const clock = fakeClock({ startAt: noon });
  const engine = createEngine({ providers: [local()], store: { ...store, records }, clock });
  const processFacts = () => ({ version: "1.2.3", pid: 7, node: "v22.13.0", started_at: noon - 90_500, memory });
  const portal = createPortal({ engine, store, clock, entropy: randomBytes, processFacts });
  return { portal, engine };
}

describe.each(stores)("the state of the gateway: %s", (name, open) => {
  it("is whether it can take calls, and to the provider what it runs on", async () => {
    const { portal, engine } = openSystem(await open());
    await engine.ready();
    const status = await portal.as(operator).context.system({});
    const ok = { status: "ok", milliseconds: 0 };
    expect(status).toEqual({
      status: "ready",
      in_flight: 0,
      checks: {
        ...{ store: ok, counters: ok, recovery: ok },
        ...(name === "sqlite" ? { ledger: { ...ok, waiting: 0, lost: 0 } } : {}),
      },
      version: "1.2.3",
      process: { pid: 7, node: "v22.13.0", started_at: new Date(noon - 90_500).toISOString(), uptime: 90, memory },
      ...(name === "sqlite" ? { store: { kind: "sqlite", version: migrations.length } } : {}),
    });
    const tenant = { ...operator, scope: { reseller: "r" } };
    expect(await portal.as(tenant).context.system({})).toEqual({ status: "ready" });
    engine.announceClose();
    expect((await portal.as(operator).context.system({})).status).toBe("draining");
  });

  it("names what does not answer, without the words of the store", async () => {
    const store = await open();
    const { records } = store;
    let isDown = false;
    const get: typeof records.get = (kind, id) => {
      if (isDown) throw new Error("password of the database");
      return records.get(kind, id);
    };
    const { portal, engine } = openSystem(store, { ...records, get });
    await engine.ready();
    isDown = true;
    const status = await portal.as(operator).context.system({});
    expect(status).toMatchObject({ status: "unavailable", checks: { store: { status: "failed" } } });
    expect(JSON.stringify(status)).not.toContain("password");
  });
});
