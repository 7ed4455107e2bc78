import { batchRows, headHeader, places, termsAt } from "./kernel.ts";
import { quantiseQuestion, type Shape, type Written } from "./quantise.ts";
import { blockBytes, type Rows } from "./rows.ts";

/** What is looked for, and among which rows. */
export interface RowsQuestion {
  readonly vector: ArrayLike<number>;
  readonly shape: Shape;
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
export function findNearest(rows: Rows, question: RowsQuestion): NearestRow | undefined {
  const { buffer, scan } = rows;
  const { among, atLeast } = question;
  const { scale, slack } = tellQuestion(rows, question);
  const needed = new Float32Array(buffer, termsAt.needed, 1);
  const list = new Uint32Array(buffer, places.list, batchRows);
  const scores = new Float32Array(buffer, places.scores, batchRows);
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
function tellQuestion({ buffer, layout }: Rows, { vector, shape }: RowsQuestion): Written {
  const asked = new Int16Array(buffer, places.question, layout.plane);
  asked.fill(0);
  const written = quantiseQuestion(vector, shape, asked);
  new Uint32Array(buffer, termsAt.head, 3).set([headHeader + layout.head, layout.tail, blockBytes(layout)]);
  new Float32Array(buffer, termsAt.tailLength, 1)[0] = shape.tail / written.scale;
  return written;
}

/** The best of the finalists, in full precision. */
function pickBest(rows: Rows, { vector, shape }: RowsQuestion, numbers: readonly number[]): NearestRow | undefined {
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
      let place = rows.length;
      while (place > 0 && (scores[place - 1] as number) < score) place--;
      rows.splice(place, 0, row);
      scores.splice(place, 0, score);
      if (rows.length > finalists) {
        rows.pop();
        scores.pop();
      }
      worst = needed();
    },
  };
}
