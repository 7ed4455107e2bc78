import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase32, toBase32 } from "../../../src/portal/passwords/base32.ts";
import { codeOf, findStep, otpAuthUri, stepAt } from "../../../src/portal/passwords/totp-code.ts";

/** RFC 6238, appendix B, with the last six of its eight digits; the secret is `12345678901234567890`. */
const vectors = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
] as const;
const secret = toBase32(Buffer.from("12345678901234567890"));

test.each(vectors)("the code at %i seconds is the one of RFC 6238", (seconds, code) => {
  expect(codeOf(secret, stepAt(seconds * 1_000))).toBe(code);
});

test("base32 is that of RFC 4648, and reads what it wrote", () => {
  expect(["f", "fo", "foo", "foob", "fooba", "foobar"].map((text) => toBase32(Buffer.from(text)))).toEqual([
    ...["MY", "MZXQ", "MZXW6", "MZXW6YQ", "MZXW6YTB", "MZXW6YTBOI"],
  ]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(fromBase32(toBase32(bytes))).toEqual(bytes);
      expect(fromBase32(toBase32(bytes).toLowerCase())).toEqual(bytes);
    }),
  );
});

test("a code is good from one step before its own to one after, and never once its step or a later one was accepted", () => {
  const moment = fc.record({
    now: fc.integer({ min: 1, max: 4e12 }),
    offset: fc.integer({ min: -3, max: 3 }),
    last: fc.integer({ min: -3, max: 3 }),
  });
  fc.assert(
    fc.property(moment, ({ now, offset, last }) => {
      const step = stepAt(now) + offset;
      if (step < 0) return;
      const found = findStep(secret, { code: codeOf(secret, step), now, last: stepAt(now) + last });
      const others = [-1, 0, 1].map((each) => stepAt(now) + each).filter((each) => each >= 0);
      if (others.some((each) => each !== step && codeOf(secret, each) === codeOf(secret, step))) return;
      expect(found).toBe(Math.abs(offset) <= 1 && offset > last ? step : undefined);
    }),
  );
});

test("the address of a secret can be read back, whatever the name", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (username) => {
      const read = new URL(otpAuthUri({ secret, username }));
      expect(read.searchParams.get("secret")).toBe(secret);
      expect(decodeURIComponent(read.pathname)).toBe(`/tollgate:${username}`);
    }),
  );
});
