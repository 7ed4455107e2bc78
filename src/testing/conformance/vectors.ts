import assert from "node:assert/strict";
import type { VectorIndex } from "../../engine/ports/vectors.ts";
import type { ConformanceCase } from "./case.ts";
import { createDraw, type Draw, pick } from "./draw.ts";

const space = "s";

function anyVector(draw: Draw, length: number): number[] {
  return Array.from({ length }, () => (draw(2_001) - 1_000) / 1_000 + 0.000_5);
}

function cosine(one: readonly number[], other: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, part, n) => sum + part * (b[n] ?? 0), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

async function idOf(index: VectorIndex, vector: readonly number[], atLeast = -1): Promise<string | undefined> {
  return (await index.nearest("scope", { space, vector, atLeast }))?.id;
}

/** A vector as the model of a walk holds it. */
interface ModelVector {
  readonly scope: string;
  readonly space: string;
  readonly id: string;
  readonly vector: readonly number[];
}

function bestOf(held: Iterable<ModelVector>, { scope, space, vector }: Omit<ModelVector, "id">): number {
  const fitting = [...held].filter(
    (one) => one.scope === scope && one.space === space && one.vector.length === vector.length,
  );
  return Math.max(-2, ...fitting.map((one) => cosine(one.vector, vector)));
}

/** Puts and deletes among several scopes, spaces and lengths; what is found is as near as the nearest. */
async function walk(index: VectorIndex): Promise<void> {
  const draw = createDraw(5);
  const held = new Map<string, ModelVector>();
  const location = () => ({ scope: pick(draw, ["a", "b", "a/b"]), space: pick(draw, ["x", "y"]) });
  for (let step = 0; step < 1_500; step++) {
    const where = location();
    const id = String(draw(40));
    const name = `${where.scope} ${id}`;
    const vector = anyVector(draw, pick(draw, [3, 16, 65]));
    if (draw(4) > 0) {
      await index.put(where.scope, { space: where.space, id, vector });
      held.set(name, { ...where, id, vector });
    } else {
      assert.equal(await index.delete(where.scope, id), held.delete(name), `step ${step}`);
    }
    const requested = { ...location(), vector: anyVector(draw, pick(draw, [3, 16, 65])) };
    const found = await index.nearest(requested.scope, {
      space: requested.space,
      vector: requested.vector,
      atLeast: -1,
    });
    const best = bestOf(held.values(), requested);
    if (!found) assert.equal(best, -2, `step ${step}: nothing was found`);
    else {
      const { vector, space } = held.get(`${requested.scope} ${found.id}`) ?? { vector: [] };
      assert.equal(space, requested.space, `step ${step}: of another space`);
      assert.ok(Math.abs(cosine(vector, requested.vector) - best) < 0.001, `step ${step}: there is a nearer one`);
      assert.ok(Math.abs(found.similarity - best) < 0.001, `step ${step}: ${found.similarity} for ${best}`);
    }
  }
}

/** Of a thousand questions to a thousand vectors, at least 990 find the very nearest. */
async function countRecall(index: VectorIndex): Promise<void> {
  const draw = createDraw(3);
  const vectors = Array.from({ length: 1_000 }, () => anyVector(draw, 64));
  for (const [id, vector] of vectors.entries()) await index.put("scope", { space, id: String(id), vector });
  let right = 0;
  for (let round = 0; round < 1_000; round++) {
    const question = anyVector(draw, 64);
    const best = vectors.reduce(
      (best, vector, id) => {
        const similarity = cosine(vector, question);
        return similarity > best.similarity ? { id, similarity } : best;
      },
      { id: -1, similarity: -2 },
    );
    if ((await idOf(index, question)) === String(best.id)) right++;
  }
  assert.ok(right >= 990, `the nearest was found ${right} times of 1,000`);
}

/** The rules of the VectorIndex port; each case wants an index that holds nothing and has room for a thousand vectors. */
export const vectorIndexCases: readonly ConformanceCase<VectorIndex>[] = [
  {
    title: "finds the nearest by angle, whatever the lengths",
    async run(index) {
      await index.put("scope", { space, id: "long", vector: [100, 0, 1] });
      await index.put("scope", { space, id: "short", vector: [0, 0.001, 0] });
      assert.equal(await idOf(index, [0.5, 0.1, 0]), "long");
      assert.equal(await idOf(index, [10, 80, 0]), "short");
      assert.equal(await idOf(index, [-1, 0.1, 0]), "short");
    },
  },
  {
    title: "tells the cosine, and nothing of what is not near enough",
    async run(index) {
      await index.put("scope", { space, id: "x", vector: [1, 0] });
      const found = await index.nearest("scope", { space, vector: [1, 1], atLeast: 0.7 });
      assert.ok(Math.abs((found?.similarity ?? 0) - Math.SQRT1_2) < 0.001);
      assert.equal(await idOf(index, [1, 1], 0.72), undefined);
      assert.equal(await idOf(index, [1, 0], 0.999), "x");
    },
  },
  {
    title: "compares only within a scope, a space and a length",
    async run(index) {
      await index.put("scope", { space, id: "x", vector: [1, 0] });
      assert.equal(await index.nearest("other", { space, vector: [1, 0], atLeast: -1 }), undefined);
      assert.equal(await index.nearest("scope", { space: "other", vector: [1, 0], atLeast: -1 }), undefined);
      assert.equal(await idOf(index, [1, 0, 0]), undefined);
    },
  },
  {
    title: "keeps nothing without direction, and finds nothing for it",
    async run(index) {
      for (const vector of [[0, 0], [], [Number.NaN, 1], [Infinity, 1]]) {
        await index.put("scope", { space, id: `v${vector}`, vector });
        assert.equal(await idOf(index, vector), undefined);
      }
      assert.equal(await idOf(index, [1, 1]), undefined);
      assert.equal(await index.clear("scope"), 0);
    },
  },
  {
    title: "replaces a vector of the same id, also by one of another space or length",
    async run(index) {
      await index.put("scope", { space, id: "x", vector: [1, 0] });
      await index.put("scope", { space, id: "x", vector: [0, 1] });
      assert.equal(await idOf(index, [1, 0], 0.5), undefined);
      await index.put("scope", { space: "other", id: "x", vector: [0, 1, 0] });
      assert.equal(await idOf(index, [0, 1]), undefined);
      assert.equal(await index.clear("scope"), 1);
    },
  },
  {
    title: "keeps a vector as it was put, whatever becomes of the list that it came in",
    async run(index) {
      const vector = [1, 0];
      await index.put("scope", { space, id: "x", vector });
      vector.reverse();
      assert.equal(await idOf(index, [1, 0], 0.9), "x");
      const typed = Float32Array.of(0, 1);
      await index.put("scope", { space, id: "y", vector: typed });
      typed.fill(-1);
      assert.equal(await idOf(index, [0, 1], 0.9), "y");
    },
  },
  {
    title: "forgets one, and a scope, and counts",
    async run(index) {
      for (const id of ["x", "y"]) await index.put("scope", { space, id, vector: [1, id === "x" ? 0 : 1] });
      await index.put("other", { space, id: "x", vector: [1, 0] });
      assert.equal(await index.delete("scope", "x"), true);
      assert.equal(await index.delete("scope", "x"), false);
      assert.equal(await idOf(index, [1, 0]), "y");
      assert.equal(await index.clear("scope"), 1);
      assert.equal(await idOf(index, [1, 0]), undefined);
      assert.equal((await index.nearest("other", { space, vector: [1, 0], atLeast: -1 }))?.id, "x");
    },
  },
  {
    title: "takes long vectors and long rows of equal ones",
    async run(index) {
      await index.put("scope", { space, id: "even", vector: new Array<number>(4_096).fill(1) });
      await index.put("scope", { space, id: "odd", vector: Array.from({ length: 4_096 }, (_, n) => (n % 2 ? 1 : -1)) });
      assert.equal(await idOf(index, new Array<number>(4_096).fill(0.1), 0.999), "even");
    },
  },
  { title: "finds the very nearest in 99 of 100 cases", run: countRecall },
  { title: "long walks of puts and deletes agree with plain arithmetic, step by step", run: walk },
];
