/** The largest number that a part of a row takes: two signed bytes, the upper one no more than ±127. */
const largestPart = 127 * 256;

/** The largest number that a part of a question takes, so that sums of products stay within 32 bits (see the kernel). */
const largestRequested = 8_191;

/** What must be known of a vector before it is written. */
export interface VectorShape {
  /** Magnitude of the largest part. */
  readonly peak: number;
  readonly length: number;
  /** What lies behind the head, as a share of the length. */
  readonly tail: number;
}

/** The shape of a vector whose head has so many parts; `undefined` for one without direction: its length is zero, or no finite number. */
export function measure(vector: ArrayLike<number>, head: number): VectorShape | undefined {
  const end = Math.min(head, vector.length);
  const [front, rest] = [sumUp(vector, 0, end), sumUp(vector, end, vector.length)];
  const length = Math.sqrt(front.squares + rest.squares);
  if (!(length > 0 && length < Infinity)) return undefined;
  return { peak: Math.max(front.peak, rest.peak), length, tail: Math.sqrt(rest.squares) / length };
}

function sumUp(vector: ArrayLike<number>, from: number, to: number) {
  let squares = 0;
  let peak = 0;
  for (let at = from; at < to; at++) {
    const part = vector[at] as number;
    squares += part * part;
    if (part > peak) peak = part;
    else if (-part > peak) peak = -part;
  }
  return { squares, peak };
}

/** Where a row lies: both planes hold all its parts, the lower one from `lowerAt` on. */
export interface Planes {
  readonly upper: Int8Array;
  readonly lower: Int8Array;
  readonly lowerAt: number;
}

/** What makes every part positive, so that cutting its fraction off rounds it; half a unit is in it. */
const lift = 32_768.5;

/** A direction as it was written. */
export interface QuantisedVector {
  /** A part is (256 × upper + lower) × scale. */
  readonly scale: number;
  /** What a cosine by the upper plane alone may be wrong by: the length of all that the lower one holds. */
  readonly slack: number;
}

/**
 * Writes the direction of a vector in 16 bits a part, as two planes of signed bytes: `upper` alone is what all rows are compared by, both
 * together what the best of them are.
 */
export function quantiseRow(vector: ArrayLike<number>, { peak, length }: VectorShape, planes: Planes): QuantisedVector {
  const { upper, lower, lowerAt } = planes;
  const factor = largestPart / peak;
  let squares = 0;
  for (let at = 0; at < vector.length; at++) {
    const whole = (((vector[at] as number) * factor + lift) | 0) - 32_768;
    const above = (whole + 128) >> 8;
    const below = whole - 256 * above;
    squares += below * below;
    upper[at] = above;
    lower[lowerAt + at] = below;
  }
  const scale = 1 / (factor * length);
  return { scale, slack: Math.sqrt(squares) * scale };
}

/** Writes the direction of a vector as a question, in 14 bits a part, each half a step off at most. */
export function quantiseQuestion(
  vector: ArrayLike<number>,
  { peak, length }: VectorShape,
  requested: Int16Array,
): QuantisedVector {
  const factor = largestRequested / peak;
  for (let at = 0; at < vector.length; at++) requested[at] = Math.round((vector[at] as number) * factor);
  const scale = 1 / (factor * length);
  return { scale, slack: (Math.sqrt(vector.length) / 2) * scale };
}

/** The dot product of a vector, from one of its parts on, with that much of a row; both planes, without the scale. */
export function dotPlanes(vector: ArrayLike<number>, from: number, { upper, lower, lowerAt }: Planes): number {
  const count = Math.min(upper.length, vector.length - from);
  let sum = 0;
  for (let at = 0; at < count; at++)
    sum += (vector[from + at] as number) * ((upper[at] as number) * 256 + (lower[lowerAt + at] as number));
  return sum;
}
