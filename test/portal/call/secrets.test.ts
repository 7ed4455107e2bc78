import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecrets, unreadable } from "../../../src/portal/call/secrets.ts";
import { sealFirst } from "../../fixtures/first-seal.ts";

const secret = "a secret of sixteen";
const { seal, open, tryOpen } = createSecrets(secret, randomBytes);

const place = "keypair/p-1/secret_key";

describe("secrets", () => {
  it("come back as they were, and are unreadable in between, each time differently", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), (plain, where) => {
        const sealed = seal(plain, where);
        expect(open(sealed, where)).toBe(plain);
        expect(Buffer.from(sealed.slice(12), "base64url").includes(plain)).toBe(false);
        expect(seal(plain, where)).not.toBe(sealed);
      }),
    );
  });

  it("that were changed, cut or sealed with another secret are not opened, and the error says nothing of them", () => {
    const other = createSecrets("another secret of ours", randomBytes);
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (plain, where, flip) => {
        const prefix = seal(plain, place).slice(0, 12);
        const bytes = Buffer.from(seal(plain, place).slice(12), "base64url");
        const changed = Buffer.from(bytes);
        const position = where % bytes.length;
        changed.writeUInt8(changed.readUInt8(position) ^ flip, position);
        const cut = bytes.subarray(0, position);
        for (const broken of [changed, cut]) {
          expect(() => open(prefix + broken.toString("base64url"), place)).toThrow(unreadable());
          expect(tryOpen(prefix + broken.toString("base64url"), place)).toBeUndefined();
        }
        expect(() => open(plain, place)).toThrow(unreadable());
        expect(() => other.open(seal(plain, place), place)).toThrow(unreadable());
        expect(other.tryOpen(seal(plain, place), place)).toBeUndefined();
      }),
    );
  });

  it("are opened in their own place only: who may write to the store cannot put one where it is shown", () =>
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (plain, one, other) => {
        fc.pre(one !== other);
        expect(tryOpen(seal(plain, one), other)).toBeUndefined();
      }),
    ));

  it("name their key, and are opened with that one only", () => {
    const rotated = createSecrets("the secret of today", randomBytes, [secret]);
    const [old, fresh] = [seal("hush", place), rotated.seal("hush", place)];
    expect(fresh.split(".")[1]).not.toBe(old.split(".")[1]);
    expect(tryOpen(fresh.replace(/^v2\.[^.]+/, old.slice(0, 11)), place)).toBeUndefined();
    expect([rotated.open(old, place), rotated.open(fresh, place)]).toEqual(["hush", "hush"]);
    expect([rotated.isCurrent(old), rotated.isCurrent(fresh)]).toEqual([false, true]);
  });

  it("of the first form are still opened, under the present secret and those of before, and are not current", () => {
    const rotated = createSecrets("the secret of today", randomBytes, [secret]);
    const old = sealFirst("hush", secret);
    expect([open(old, place), rotated.open(old, place)]).toEqual(["hush", "hush"]);
    expect(rotated.isCurrent(old)).toBe(false);
  });

  it("cannot be kept without a secret, and a short one is no secret", () => {
    expect(() => createSecrets(undefined, randomBytes).seal("x", place)).toThrow(/TOLLGATE_SECRET/);
    expect(() => createSecrets("too short", randomBytes)).toThrow(/at least 16 characters/);
    expect(() => createSecrets(secret, randomBytes, ["too short"])).toThrow(/previousSecrets/);
  });
});
