import fc from "fast-check";
import { expect, it } from "vitest";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { createKnownKeys } from "../../../../src/engine/pipeline/admin/known-keys.ts";
import { createPortTimeout } from "../../../../src/engine/pipeline/runtime/port-timeout.ts";
import { compileAccess, type KeyPermissions } from "../../../../src/engine/policy/access.ts";
import { draftKey } from "../../../../src/engine/policy/drafts.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";

const accessOf = (active: boolean): KeyPermissions =>
  compileAccess({ key: draftKey({ name: "k", active }, { hash: "h", last4: "abcd" }, { id: "id", now: 0 }) });

const knownMs = 600_000;

function open() {
  const clock = fakeClock();
  const known = createKnownKeys({ knownMs, timeouts: createPortTimeout(clock, 1_000) });
  const away = () => Promise.reject(new GatewayError("store_unavailable", "away"));
  return { clock, known, away };
}

it("a key goes on with what it last gave access to, for so long and no longer", async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.integer({ min: 0, max: 2 * knownMs }), async (isActive, later) => {
      const { clock, known, away } = open();
      const access = accessOf(isActive);
      const now = clock.now();
      expect(await known.readOrKnown("k", now, async () => access)).toBe(access);
      const answer = known.readOrKnown("k", now + later, away);
      if (later <= knownMs) expect(await answer).toBe(access);
      else await expect(answer).rejects.toThrow("away");
    }),
  );
});

it("a key that was read as gone, or never read, is unknown", async () => {
  const { clock, known, away } = open();
  const now = clock.now();
  await known.readOrKnown("k", now, async () => accessOf(true));
  expect(await known.readOrKnown("k", now, async () => undefined)).toBeUndefined();
  await expect(known.readOrKnown("k", now, away)).rejects.toThrow("away");
  await expect(known.readOrKnown("other", now, away)).rejects.toThrow("away");
});

it("a store that hangs holds a call for a second, and the calls of the next second not at all", async () => {
  const { clock, known } = open();
  const access = accessOf(true);
  known.confirm("k", access, clock.now());
  let asked = 0;
  const silent = () => {
    asked += 1;
    return new Promise<undefined>(() => {});
  };
  const first = known.readOrKnown("k", clock.now(), silent);
  await clock.advance(1_000);
  expect(await first).toBe(access);
  expect(await known.readOrKnown("k", clock.now() - 1, silent)).toBe(access);
  expect(asked).toBe(1);
});

it("an error that is not of the way to the store is no outage", async () => {
  const { clock, known } = open();
  known.confirm("k", accessOf(true), clock.now());
  const broken = () => Promise.reject(new GatewayError("internal", "broken"));
  await expect(known.readOrKnown("k", clock.now(), broken)).rejects.toThrow("broken");
});
