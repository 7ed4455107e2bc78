import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecrets, unreadable } from "../../../src/portal/secrets.ts";

const secret = "a secret of sixteen";
const { seal, open, tryOpen } = createSecrets(secret, randomBytes);

describe("secrets", () => {
  it("come back as they were, and are unreadable in between, each time differently", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), (plain) => {
        const sealed = seal(plain);
        expect(open(sealed)).toBe(plain);
        expect(Buffer.from(sealed.slice(3), "base64url").includes(plain)).toBe(false);
        expect(seal(plain)).not.toBe(sealed);
      }),
    );
  });

  it("that were changed, cut or sealed with another secret are not opened, and the error says nothing of them", () => {
    const other = createSecrets("another secret of ours", randomBytes);
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (plain, where, flip) => {
        const bytes = Buffer.from(seal(plain).slice(3), "base64url");
        const changed = Buffer.from(bytes);
        const position = where % bytes.length;
        changed.writeUInt8(changed.readUInt8(position) ^ flip, position);
        const cut = bytes.subarray(0, position);
        for (const broken of [changed, cut]) {
          expect(() => open(`v1.${broken.toString("base64url")}`)).toThrow(unreadable());
          expect(tryOpen(`v1.${broken.toString("base64url")}`)).toBeUndefined();
        }
        expect(() => open(plain)).toThrow(unreadable());
        expect(() => other.open(seal(plain))).toThrow(unreadable());
        expect(other.tryOpen(seal(plain))).toBeUndefined();
      }),
    );
  });

  it("cannot be kept without a secret, and a short one is no secret", () => {
    expect(() => createSecrets(undefined, randomBytes).seal("x")).toThrow(/TOLLGATE_SECRET/);
    expect(() => createSecrets("too short", randomBytes)).toThrow(/at least 16 characters/);
  });
});
