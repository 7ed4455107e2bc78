// Looking for the most similar question: vectors of two lengths, all in one space, which is the worst case. Times are CPU time of this
// process: what neighbours on the same cores take is not in them.
import { embeddedVectors } from "../adapters/vectors/embedded/index.ts";
import { judge, median, printTable, type Row } from "./table.ts";

const count = 100_000;
const sizes = [
  { dimensions: 384, goal: 2.5, floor: 5 },
  { dimensions: 1_536, goal: 5, floor: 10 },
];
const threshold = 0.95;

/** Uniform in [-1, 1), the same in every run. */
let state = 88_172_645;
function draw(): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return state / 2 ** 31;
}

/** As embeddings are: all lean one way, so that two that have nothing in common still have a cosine of about a half. */
function anyVector(lean: Float32Array): Float32Array {
  const vector = new Float32Array(lean.length);
  for (let part = 0; part < vector.length; part++) vector[part] = draw() + (lean[part] as number);
  return vector;
}

/** A neighbour of about 0.97. */
function near(vector: Float32Array): Float32Array {
  return vector.map((part) => part + 0.33 * draw());
}

function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (const part of vector) squares += part * part;
  return Math.sqrt(squares);
}

/** The nearest by plain arithmetic. */
function findPlainly(question: Float32Array, vectors: readonly Float32Array[], lengths: readonly number[]): number {
  let best = -1;
  let found = -1;
  for (const [position, vector] of vectors.entries()) {
    let sum = 0;
    for (let part = 0; part < vector.length; part++) sum += (vector[part] as number) * (question[part] as number);
    const cosine = sum / (lengths[position] as number);
    if (cosine > best) [best, found] = [cosine, position];
  }
  return found;
}

/** Milliseconds of CPU time so far. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const percentile99 = (times: readonly number[]) =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;

function measure({ dimensions, goal, floor }: (typeof sizes)[number]): Row[] {
  const lean = new Float32Array(dimensions).map(() => draw());
  const vectors = Array.from({ length: count }, () => anyVector(lean));
  const lengths = vectors.map(lengthOf);
  const index = embeddedVectors({ maxEntries: count });
  const before = process.memoryUsage();
  const inserts = vectors.map((vector, position) => {
    const startedAt = cpuTime();
    index.put("scope", { space: "space", id: String(position), vector });
    return cpuTime() - startedAt;
  });
  const after = process.memoryUsage();
  const held = after.heapUsed + after.external - before.heapUsed - before.external;
  const look = (question: Float32Array, atLeast: number, times: number[]) => {
    const startedAt = cpuTime();
    const found = index.nearest("scope", { space: "space", vector: question, atLeast });
    times.push(cpuTime() - startedAt);
    return found instanceof Promise ? undefined : found?.id;
  };
  const [similar, any]: [number[], number[]] = [[], []];
  for (let round = 0; round < 20; round++) look(anyVector(lean), -1, []); // warm-up
  for (let round = 0; round < 150; round++)
    look(round % 2 === 0 ? near(vectors[(round * 613) % count] as Float32Array) : anyVector(lean), threshold, similar);
  for (let round = 0; round < 60; round++) look(anyVector(lean), -1, any);
  let right = 0;
  const checks = 12;
  for (let check = 0; check < checks; check++) {
    const question = anyVector(lean);
    if (look(question, -1, []) === String(findPlainly(question, vectors, lengths))) right++;
  }
  const name = `${count.toLocaleString("en")} × ${dimensions.toLocaleString("en")}`;
  const p99 = percentile99(similar);
  const insert = (inserts.reduce((sum, time) => sum + time, 0) / count) * 1_000;
  return [
    {
      what: `${name}: look-up at ${threshold}, p50 / p99 ms`,
      value: `${median(similar).toFixed(2)} / ${p99.toFixed(2)}`,
      goal: `${goal} / ${floor}`,
      verdict: judge(p99, { goal, floor }),
    },
    {
      what: "  … of the nearest, however far, p50 / p99 ms",
      value: `${median(any).toFixed(2)} / ${percentile99(any).toFixed(2)}`,
    },
    {
      what: "  recall at 1, however far",
      value: `${right} of ${checks}`,
      goal: "all",
      verdict: right === checks ? "goal" : "MISSED",
    },
    {
      what: "  insert, mean / p99 µs",
      value: `${insert.toFixed(1)} / ${(percentile99(inserts) * 1_000).toFixed(1)}`,
      goal: "25 / 50",
      verdict: judge(insert, { goal: 25, floor: 50 }),
    },
    { what: "  memory, MB", value: (held / 1e6).toFixed(0) },
  ];
}

printTable("Vectors in this process, one space", sizes.flatMap(measure));
