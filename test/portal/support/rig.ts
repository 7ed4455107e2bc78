import { randomBytes } from "node:crypto";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../adapters/stores/sqlite/index.ts";
import type { Records } from "../../../src/engine/ports/records.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import { createSecrets } from "../../../src/portal/call/secrets.ts";
import { createLeases } from "../../../src/portal/locks/lease.ts";
import { listAbove, scopedRecords, type TenantScope } from "../../../src/portal/tenancy/tenant-scope.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { afterFile } from "../../after-file.ts";
import { withPortalKinds } from "../../portal-kinds.ts";

/** The stores on which every area is tested: `describe.each(stores)("…: %s", (_name, open) => …)`. */
export const stores: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ["memory", async () => opened(memoryStore())],
  ["sqlite", async () => opened(await sqliteStore(":memory:"))],
];

function opened(store: Store): Store {
  afterFile(() => store.close());
  return withPortalKinds(store);
}

/** When every call of a rig is made. */
export const noon = Date.UTC(2026, 10, 20, 12);

/** What an area needs whose changes are made in turn. */
export function forTurns() {
  return { records: withPortalKinds(memoryStore()).records, clock: fakeClock({ startAt: noon, runsByItself: true }) };
}

/** A call by somebody at a place, for tests of one area. */
export function callAt(records: Records, place: TenantScope, parts: Partial<PortalCall> = {}): PortalCall {
  return {
    caller: {
      user: { id: place.user_id ?? "usr_rig", username: "rig" },
      scope: place,
      permissions: new Set<string>(),
      token_id: "tok_rig",
    },
    region: "eu-1",
    projectRegions: new Set([parts.region ?? "eu-1"]),
    now: noon,
    signal: new AbortController().signal,
    eventId: "evt_rig",
    records: scopedRecords(records, place),
    allRecords: records,
    afterCommit: (work) => work(),
    secrets: createSecrets("a secret of the rig", randomBytes),
    withLease: createLeases({ records, clock: fakeClock({ startAt: noon, runsByItself: true }) }),
    listAbove: (kind, where) => listAbove(records, place, { kind, where }),
    ...parts,
  };
}
