import { batchRows, headHeader, memoryOffsets, scalesAt } from "./kernel.ts";
import { type QuantisedVector, quantiseQuestion, type VectorShape } from "./quantise.ts";
import { blockBytes, type VectorRows } from "./rows.ts";

/** What is looked for, and among which rows. */
export interface RowsQuestion {
  readonly vector: ArrayLike<number>;
  readonly shape: VectorShape;
  /** Their numbers. */
  readonly among: Uint32Array;
  /** The cosine that is needed. */
  readonly atLeast: number;
}

/** A row and its cosine to the question. */
export interface NearestRow {
  readonly row: number;
  readonly similarity: number;
}

/** Rows that are compared again in full precision. */
const finalists = 32;

/** What the kernel's sums in single floats may be wrong by, generously. */
const tolerance = 0.001;

/** The row that is nearest to the question, when it is near enough. */
export function findNearest(rows: VectorRows, question: RowsQuestion): NearestRow | undefined {
  const { buffer, scan } = rows;
  const { among, atLeast } = question;
  const { scale, slack } = printQuestion(rows, question);
  const needed = new Float32Array(buffer, scalesAt.needed, 1);
  const list = new Uint32Array(buffer, memoryOffsets.list, batchRows);
  const scores = new Float32Array(buffer, memoryOffsets.scores, batchRows);
  const ranking = createRanking((atLeast - rows.slack - slack - tolerance) / scale);
  for (let from = 0; from < among.length; from += batchRows) {
    const batch = among.subarray(from, from + batchRows);
    list.set(batch);
    needed[0] = ranking.needed();
    scan(batch.length);
    for (let position = 0; position < batch.length; position++)
      ranking.take(batch[position] as number, scores[position] as number);
  }
  const nearest = pickBest(rows, question, ranking.rows);
  return nearest && nearest.similarity >= atLeast ? nearest : undefined;
}

/** Writes the question and its terms where the kernel reads them; gives the factor by which scores are too large for cosines, and its slack. */
function printQuestion({ buffer, layout }: VectorRows, { vector, shape }: RowsQuestion): QuantisedVector {
  const requested = new Int16Array(buffer, memoryOffsets.question, layout.plane);
  requested.fill(0);
  const written = quantiseQuestion(vector, shape, requested);
  new Uint32Array(buffer, scalesAt.head, 3).set([headHeader + layout.head, layout.tail, blockBytes(layout)]);
  new Float32Array(buffer, scalesAt.tailLength, 1)[0] = shape.tail / written.scale;
  return written;
}

/** The best of the finalists, in full precision. */
function pickBest(
  rows: VectorRows,
  { vector, shape }: RowsQuestion,
  numbers: readonly number[],
): NearestRow | undefined {
  let nearest: NearestRow | undefined;
  for (const row of numbers) {
    const similarity = Math.max(-1, Math.min(1, rows.dot(vector, row) / shape.length));
    if (!nearest || similarity > nearest.similarity) nearest = { row, similarity };
  }
  return nearest;
}

/** The rows with the best scores so far, of those that are good enough. */
function createRanking(least: number) {
  const rows: number[] = [];
  const scores: number[] = [];
  const needed = () => (rows.length < finalists ? least : (scores[finalists - 1] as number));
  let worst = least;
  return {
    rows,
    /** The score that a row must have to be among them. */
    needed,
    take(row: number, score: number): void {
      if (score < worst) return;
      let context = rows.length;
      while (context > 0 && (scores[context - 1] as number) < score) context--;
      rows.splice(context, 0, row);
      scores.splice(context, 0, score);
      if (rows.length > finalists) {
        rows.pop();
        scores.pop();
      }
      worst = needed();
    },
  };
}
