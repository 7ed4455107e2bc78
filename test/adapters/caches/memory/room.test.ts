import { describe, expect, it } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { embeddedVectors } from "../../../../adapters/vectors/embedded/index.ts";
import type { CachedAnswer } from "../../../../src/engine/ports/answers.ts";
import { createDraw } from "../../../../src/testing/conformance/draw.ts";

const answer = (characters: number): CachedAnswer => ({
  body: "x".repeat(characters),
  provider: "p",
  deployment: "m",
  cost: 0,
  warnings: [],
  storedAt: 0,
  expiresAt: 1_000,
});

describe("answers in memory", () => {
  it("never take more than they may: what was not asked for the longest goes", () => {
    const cache = memoryCache({ maxBytes: 10_000 });
    for (const id of ["a", "b", "c"]) cache.put("s", id, answer(1_000));
    cache.get("s", "a", 0);
    cache.put("s", "d", answer(1_000));
    const kept = ["a", "b", "c", "d"].filter((id) => cache.get("s", id, 0));
    expect(kept).toEqual(["a", "c", "d"]);
    expect(cache.clear("s")).toBe(3);
  });

  it("do not keep one that is larger than all the room, nor the one before it", () => {
    const cache = memoryCache({ maxBytes: 10_000 });
    cache.put("s", "a", answer(100));
    cache.put("s", "b", answer(100));
    cache.put("s", "a", answer(20_000));
    expect(cache.get("s", "a", 0)).toBeUndefined();
    expect(cache.get("s", "b", 0)).toBeDefined();
    expect(cache.clear("s")).toBe(1);
  });
});

describe("vectors in memory", () => {
  const space = "x";
  const find = (index: ReturnType<typeof embeddedVectors>, vector: number[]) =>
    (index.nearest("s", { space, vector, atLeast: 0.999 }) as { id: string } | undefined)?.id;
  const circle = (n: number) => [Math.cos(n / 50), Math.sin(n / 50)];

  it("are no more than they may be: what was neither put nor found for the longest goes", () => {
    const index = embeddedVectors({ maxEntries: 3 });
    for (const n of [0, 30, 60]) index.put("s", { space, id: String(n), vector: circle(n) });
    expect(find(index, circle(0))).toBe("0");
    index.put("s", { space, id: "90", vector: circle(90) });
    expect([0, 30, 60, 90].map((n) => find(index, circle(n)))).toEqual(["0", undefined, "60", "90"]);
  });

  it("give their places to others, over blocks of rows, and never mix them up", () => {
    const index = embeddedVectors();
    const vector = (n: number) => {
      const draw = createDraw(n);
      return Array.from({ length: 70 }, () => draw(1_000) - 499.5);
    };
    for (let n = 0; n < 2_500; n++) index.put("s", { space, id: String(n), vector: vector(n) });
    for (let n = 0; n < 2_500; n += 2) index.delete("s", String(n));
    for (let n = 3_000; n < 4_000; n++) index.put("s", { space, id: String(n), vector: vector(n) });
    for (const n of [0, 1, 2, 1_023, 1_024, 1_025, 2_047, 2_499, 3_000, 3_999])
      expect(find(index, vector(n))).toBe(n < 2_500 && n % 2 === 0 ? undefined : String(n));
  });
});
