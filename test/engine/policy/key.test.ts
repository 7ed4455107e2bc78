import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashKey, isSameHash, isVirtualKey, keyEntropy, mintKey } from "../../../src/engine/policy/key.ts";

const anyChance = fc.uint8Array({ minLength: keyEntropy, maxLength: keyEntropy });

describe("minting", () => {
  it("gives the prefix and 43 letters and digits, whatever the chance", () => {
    fc.assert(
      fc.property(anyChance, (chance) => {
        expect(mintKey(chance).value).toMatch(/^sk-tg-[0-9A-Za-z]{43}$/);
      }),
    );
  });

  it("loses none of the chance: the value reads back as the bytes", () => {
    const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    fc.assert(
      fc.property(anyChance, (chance) => {
        const text = mintKey(chance).value.slice("sk-tg-".length);
        const number = [...text].reduce((sum, letter) => sum * 62n + BigInt(alphabet.indexOf(letter)), 0n);
        expect(number.toString(16).padStart(64, "0")).toBe(Buffer.from(chance).toString("hex"));
      }),
    );
  });

  it("stores the SHA-256 of the value and shows its last four characters", () => {
    const { value, hash, last4 } = mintKey(new Uint8Array(keyEntropy).fill(7));
    expect(hash).toBe(createHash("sha256").update(value).digest("hex"));
    expect(value.endsWith(last4)).toBe(true);
    expect(last4).toHaveLength(4);
  });

  it("takes another prefix, in small letters", () => {
    const { value, hash } = mintKey(new Uint8Array(keyEntropy).fill(255), "SK-acme-");
    expect(value).toMatch(/^sk-acme-[0-9A-Za-z]{43}$/);
    expect(hashKey(value.replace("sk-acme-", "SK-Acme-"), "SK-acme-")).toBe(hash);
  });

  it("refuses too little chance", () => {
    expect(() => mintKey(new Uint8Array(16))).toThrow(RangeError);
  });
});

describe("recognising", () => {
  it.each(["sk-tg-x", "SK-TG-x", "Sk-tG-x"])("takes %s for a virtual key", (credential) => {
    expect(isVirtualKey(credential)).toBe(true);
  });

  it.each(["", "sk-tg-", "sk-t", "sk-proj-x", " sk-tg-x", "xsk-tg-x"])("does not take `%s` for one", (credential) => {
    expect(isVirtualKey(credential)).toBe(false);
  });

  it("hashes a key the same in whatever letter case its prefix is, and in no other letter case of the rest", () => {
    expect(hashKey("SK-TG-Abc")).toBe(hashKey("sk-tg-Abc"));
    expect(hashKey("sk-tg-abc")).not.toBe(hashKey("sk-tg-Abc"));
  });

  it("hashes what has no prefix as it is", () => {
    expect(hashKey("plain")).toBe(createHash("sha256").update("plain").digest("hex"));
  });
});

describe("comparing hashes", () => {
  it("says whether they are the same, also of different lengths", () => {
    const hash = hashKey("a");
    expect(isSameHash(hash, hashKey("a"))).toBe(true);
    expect(isSameHash(hash, hashKey("b"))).toBe(false);
    expect(isSameHash(hash, hash.slice(1))).toBe(false);
    expect(isSameHash(hash, "")).toBe(false);
  });
});
