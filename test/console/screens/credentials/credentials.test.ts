import fc from "fast-check";
import { expect, it } from "vitest";
import type { z } from "zod";
import {
  type Credential,
  changedUse,
  isWeightValid,
  readNames,
  readUse,
  toUse,
} from "../../../../console/src/screens/credentials/credential.ts";
import { portalTable } from "../../../../src/operations/portal/table.ts";

const name = fc.stringMatching(/^[a-z0-9][a-z0-9*/.-]{0,8}$/);
const names = fc.option(fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), { nil: undefined });
const credential = fc
  .record({ weight: fc.option(fc.nat({ max: 1_000_000 }), { nil: undefined }), models: names, blocked_models: names })
  .map((use): Credential => {
    const known = Object.fromEntries(Object.entries(use).filter(([, value]) => value !== undefined));
    return { provider: "p", name: "n", source: "portal", enabled: true, is_readable: true, ...known };
  });

it("a form that is not changed sends nothing, and what it shows is what it reads", () => {
  fc.assert(
    fc.property(credential, (one) => {
      expect(changedUse(toUse(one), one)).toEqual({});
      const { weight, models, blocked_models } = one;
      const known = Object.entries({ weight, models, blocked_models }).filter(([, value]) => value !== undefined);
      expect(readUse(toUse(one))).toEqual(Object.fromEntries(known));
    }),
  );
});

it("what is changed is sent as the operation takes it, and what is emptied as null", () => {
  const input = portalTable["ai.changeCredential"]?.input as z.ZodType;
  fc.assert(
    fc.property(credential, credential, (before, after) => {
      const changed = changedUse(toUse(after), before);
      expect(input.safeParse(changed).error).toBeUndefined();
      const { weight, models, blocked_models } = { ...before, ...changed };
      expect([weight ?? undefined, models ?? undefined, blocked_models ?? undefined]).toEqual([
        after.weight,
        after.models,
        after.blocked_models,
      ]);
    }),
  );
});

it("names are each there once, and a share is a number from 0", () => {
  expect(readNames(" a, b\na ,,")).toEqual(["a", "b"]);
  expect(["", "0", "2.5", "-1", "x", "1000001"].map(isWeightValid)).toEqual([true, true, true, false, false, false]);
});
