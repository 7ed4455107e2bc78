import fc from "fast-check";
import { expect, it } from "vitest";
import { embeddedVectors } from "../../adapters/vectors/embedded/index.ts";
import type { Neighbour } from "../../src/ports/vectors.ts";

/** What 16 bits a part may be wrong by. */
const tolerance = 0.000_02;

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
  return { found, cosines: kept.map((vector) => cosine(question, vector)) };
}

it("the similarity that is told is the cosine", () => {
  fc.assert(
    fc.property(anyVectors, (vectors) => {
      const { found, cosines } = looked(vectors);
      expect(Math.abs(found.similarity - (cosines[Number(found.id)] ?? Number.NaN))).toBeLessThan(tolerance);
    }),
  );
});

it("nothing that is kept is nearer than what is found", () => {
  fc.assert(
    fc.property(anyVectors, (vectors) => {
      const { found, cosines } = looked(vectors);
      expect(cosines[Number(found.id)]).toBeGreaterThan(Math.max(...cosines) - tolerance);
    }),
  );
});
