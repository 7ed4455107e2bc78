import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  beginOn,
  changedShoot,
  operationField,
  shootAt,
} from "../../../../../adapters/clouds/local/kubernetes/lifecycle.ts";

interface Shown {
  readonly status: { readonly lastOperation: { readonly progress: number }; readonly hibernated: boolean };
}

const shoot = (minimum: number, enabled = false) => ({
  apiVersion: "v1",
  kind: "Shoot",
  metadata: { name: "web" },
  spec: { hibernation: { enabled }, provider: { workers: [{ name: "default", minimum }] } },
});

describe("the state of a cluster at an instant", () => {
  it("never goes back while an operation runs, ends, and is no part of what is stored", () => {
    fc.assert(
      fc.property(fc.nat(200_000), fc.nat(200_000), fc.boolean(), (one, other, isFailing) => {
        const stored = beginOn(shoot(3), undefined, { type: "Create", now: 0, isFailing });
        const at = (now: number) =>
          (shootAt(stored, now)?.object as unknown as Shown | undefined)?.status.lastOperation.progress ?? -1;
        expect(at(Math.min(one, other))).toBeLessThanOrEqual(at(Math.max(one, other)));
        expect(at(90_000)).toBe(100);
        expect(shootAt(stored, one)?.object).not.toHaveProperty([operationField]);
        expect(stored).not.toHaveProperty("status");
      }),
    );
  });

  it("hibernation takes the machines away one by one, and waking brings them back", () => {
    const made = beginOn(shoot(4), undefined, { type: "Create", now: 0 });
    const asleep = changedShoot({ ...made, ...shoot(4, true) }, made, { now: 60_000 });
    const hibernated = (now: number) =>
      (shootAt(asleep, now)?.object as unknown as Shown | undefined)?.status.hibernated;
    expect([60_000, 70_000, 80_000].map((now) => shootAt(asleep, now)?.sizes)).toEqual([
      { default: 4 },
      { default: 2 },
      { default: 0 },
    ]);
    expect([hibernated(70_000), hibernated(80_000)]).toEqual([false, true]);
    const awake = changedShoot({ ...asleep, ...shoot(4) }, asleep, { now: 90_000 });
    expect([90_000, 100_000, 110_000].map((now) => shootAt(awake, now)?.sizes)).toEqual([
      { default: 0 },
      { default: 2 },
      { default: 4 },
    ]);
  });
});
