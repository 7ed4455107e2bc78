import fc from "fast-check";
import { expect, it } from "vitest";
import { embeddedVectors } from "../../../../adapters/vectors/embedded/index.ts";
import type { Neighbour } from "../../../../src/engine/ports/vectors.ts";

const anyVectors = fc
  .tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 40 }))
  .chain(([dimensions, count]) => {
    const part = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((millionths) => millionths / 1_000_000);
    const vector = fc.array(part, { minLength: dimensions, maxLength: dimensions });
    return fc.array(
      vector.filter((parts) => parts.some((one) => one !== 0)),
      { minLength: count + 1, maxLength: count + 1 },
    );
  });

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, part, at) => sum + part * (b[at] ?? 0), 0);
const cosine = (a: readonly number[], b: readonly number[]) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

/**
 * What a cosine to this row may be wrong by: each part of a row is kept as one of 2 × 127 × 256 steps of its largest and so is half a step
 * off at most, the length of what they are off together is what a question can see of it; single floats add less than a millionth.
 */
function mayBeOff(row: readonly number[]): number {
  const halfStep = Math.max(...row.map(Math.abs)) / (2 * 127 * 256);
  return (Math.sqrt(row.length) * halfStep) / Math.sqrt(dot(row, row)) + 1e-6;
}

/** An index with some vectors in it, put over and removed on the way, and what plain arithmetic says of them. */
function looked([question = [], ...kept]: readonly (readonly number[])[]) {
  const index = embeddedVectors();
  for (const [at, vector] of kept.entries()) {
    index.put("s", { space: "x", id: `${at}`, vector: vector.toReversed() });
    index.put("s", { space: "x", id: "passing", vector });
    index.put("s", { space: "x", id: `${at}`, vector: Float32Array.from(vector) });
  }
  index.delete("s", "passing");
  const found = index.nearest("s", { space: "x", vector: question, atLeast: -1.1 }) as Neighbour;
  return { found: Number(found.id), told: found.similarity, cosines: kept.map((vector) => cosine(question, vector)) };
}

it("the similarity that is told is the cosine", () => {
  fc.assert(
    fc.property(anyVectors, (vectors) => {
      const { found, told, cosines } = looked(vectors);
      expect(Math.abs(told - (cosines[found] as number))).toBeLessThan(mayBeOff(vectors[found + 1] as number[]));
    }),
  );
});

it("nothing that is kept is nearer than what is found", () => {
  fc.assert(
    fc.property(anyVectors, (vectors) => {
      const { found, cosines } = looked(vectors);
      const [, ...off] = vectors.map(mayBeOff);
      const sure = cosines.map((similarity, at) => similarity - (off[at] as number));
      expect((cosines[found] as number) + (off[found] as number)).toBeGreaterThan(Math.max(...sure));
    }),
  );
});

it("a vector may have 8,192 dimensions, all of which count", () => {
  const flat = Array.from({ length: 8_192 }, () => 1);
  const bent = flat.map((part, at) => (at < 8_184 ? part : -127)); // whole steps of the upper plane
  const index = embeddedVectors();
  index.put("s", { space: "x", id: "flat", vector: flat });
  index.put("s", { space: "x", id: "bent", vector: bent });
  index.put("s", { space: "x", id: "long", vector: [...flat, 1] });
  for (const [id, vector] of Object.entries({ flat, bent })) {
    const found = index.nearest("s", { space: "x", vector, atLeast: 0.999 }) as Neighbour;
    expect(found.id).toBe(id);
    expect(found.similarity).toBeCloseTo(1, 4);
  }
});

it("a vector is found by itself, however lopsided it is", () => {
  const anyLopsided = fc.record({
    dimensions: fc.constantFrom(64, 1_536, 4_096, 8_192),
    large: fc.integer({ min: 1, max: 8 }),
    by: fc.integer({ min: -126, max: 126 }).filter((by) => by !== 0),
  });
  fc.assert(
    fc.property(anyLopsided, ({ dimensions, large, by }) => {
      const vector = Array.from({ length: dimensions }, (_, at) => (at < dimensions - large ? 1 : by));
      const index = embeddedVectors();
      index.put("s", { space: "x", id: "it", vector });
      expect((index.nearest("s", { space: "x", vector, atLeast: 0.999 }) as Neighbour | undefined)?.id).toBe("it");
    }),
    { numRuns: 200 },
  );
});
