import fc from "fast-check";
import { expect, it } from "vitest";
import type { GatewayError } from "../../../src/engine/errors.ts";
import type { BackupState, StoredBackup } from "../../../src/operations/records/backups.ts";
import { planBackup } from "../../../src/portal/backups/planning/plan.ts";
import { readPolicies } from "../../../src/portal/backups/planning/policy.ts";
import * as moves from "../../../src/portal/backups/planning/state.ts";

const states = ["scheduled", "queued", "running", "available", "expired", "failed", "canceled"] as const;
const now = Date.UTC(2026, 10, 20);
const [policy] = readPolicies().values();
const made = { snapshot: "s", size: 1, allocated: 1, is_full: true };
const copy = { zone: null, snapshot: "s", expires_at: now, is_removed: false };

const planned = planBackup(
  {
    ...{ id: "bka_1", created_at: "2026-11-20T00:00:00.000Z", reseller: null, client_id: null, user_id: null },
    ...{ region: "eu-1", policy_id: "daily", resource_id: "vol-1", resource_type: "volume", project_id: null },
    ...{ protected_resource_id: null, starting_hour: 0, next_at: now, runs: 0 },
  },
  now,
  policy as NonNullable<typeof policy>,
);

/** Every move, the states that it may begin in, and where it may lead (portal-resolved.md, section 4). */
const table: Record<string, { from: BackupState[]; to: BackupState[]; move: (backup: StoredBackup) => StoredBackup }> =
  {
    enqueue: { from: ["scheduled"], to: ["queued"], move: moves.enqueue },
    forceStart: { from: ["scheduled"], to: ["queued"], move: (backup) => moves.forceStart(backup, "bkp_extra", now) },
    start: { from: ["queued"], to: ["running"], move: (backup) => moves.start(backup, "m", now) },
    renew: { from: ["running"], to: ["running"], move: (backup) => moves.renew(backup, "m", now) },
    addCopy: {
      from: ["running"],
      to: ["running"],
      move: (backup) => moves.addCopy(backup, "m", { created: made, copy }),
    },
    succeed: { from: ["running"], to: ["available"], move: (backup) => moves.succeed(backup, "m", now) },
    failOnce: {
      from: ["queued", "running"],
      to: ["queued", "failed"],
      move: (backup) => moves.failOnce(backup, { message: "no", retry: 1, window: 24, timezone: "UTC", now }),
    },
    cancel: {
      from: ["scheduled", "queued", "running"],
      to: ["canceled"],
      move: (backup) => moves.cancel(backup, "me", now),
    },
    extend: { from: ["available"], to: ["available"], move: (backup) => moves.extend(backup, () => now + 1) },
    removeCopy: { from: ["available"], to: ["available", "expired"], move: (backup) => moves.removeCopy(backup, "s") },
    dropCopy: {
      from: ["failed", "canceled"],
      to: ["failed", "canceled"],
      move: (backup) => moves.dropCopy(backup, "s"),
    },
    noteRestore: { from: ["available"], to: ["available"], move: (backup) => moves.noteRestore(backup, now) },
  };

it("only the moves of the table happen; every other is a conflict that names the state, and changes nothing", () => {
  const anyBackup = fc.record({ state: fc.constantFrom(...states), retries: fc.nat(2), copies: fc.nat(2) });
  fc.assert(
    fc.property(anyBackup, fc.constantFrom(...Object.keys(table)), ({ state, retries, copies }, name) => {
      const backup: StoredBackup = Object.freeze({
        ...{ ...planned, state, retries, maker: "m", lease_until: now },
        copies: Object.freeze(
          Array.from({ length: copies }, (_none, at) => Object.freeze({ ...copy, snapshot: at ? "t" : "s" })),
        ),
      });
      const { from, to, move } = table[name] as (typeof table)[string];
      if (from.includes(state)) {
        expect(to).toContain(move(backup).state);
        return;
      }
      try {
        move(backup);
        expect.unreachable();
      } catch (thrown) {
        expect((thrown as GatewayError).code).toBe("conflict");
        expect((thrown as GatewayError).message).toContain(state);
      }
    }),
    { numRuns: 2_000 },
  );
});

it("nobody but its maker goes on with a backup that runs", () => {
  const running = { ...planned, state: "running" as const, maker: "other", lease_until: now };
  for (const name of ["renew", "addCopy", "succeed"])
    expect(() => table[name]?.move(running)).toThrow("Another process");
});

it("no extension shortens the life of a copy", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { minLength: 1 }), fc.integer({ min: -1_000, max: 2_000 }), (ends, until) => {
      const copies = ends.map((expires_at, at) => ({ ...copy, expires_at, snapshot: `${at}` }));
      const extended = moves.extend({ ...planned, state: "available", copies }, () => until).copies;
      expect(extended.map(({ expires_at }) => expires_at)).toEqual(ends.map((end) => Math.max(end, until)));
    }),
  );
});
