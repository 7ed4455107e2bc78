/** The largest number that a part of a row takes: two signed bytes, the upper one no more than ±127. */
const largestPart = 127 * 256;

/** The largest number that a part of a question takes, so that sums of products stay within 32 bits (see the kernel). */
const largestAsked = 8_191;

/** Writes a vector as a direction: its parts divided by its length. False without a direction: all zero, or not finite. */
export function writeDirection(vector: ArrayLike<number>, direction: Float64Array): boolean {
  for (let part = 0; part < direction.length; part++) direction[part] = vector[part] as number;
  const inverse = 1 / largestOf(direction); // squares of shares of the largest part neither overflow nor vanish
  if (!(inverse > 0 && inverse < Infinity)) return false;
  let squares = 0;
  for (let part = 0; part < direction.length; part++) {
    const share = (direction[part] as number) * inverse;
    squares += share * share;
  }
  const factor = inverse / Math.sqrt(squares);
  for (let part = 0; part < direction.length; part++) direction[part] = (direction[part] as number) * factor;
  return true;
}

/** The largest magnitude; NaN where a part is none. */
function largestOf(parts: Float64Array): number {
  let largest = 0;
  for (let part = 0; part < parts.length; part++) {
    const size = Math.abs(parts[part] as number);
    if (size > largest) largest = size;
    else if (Number.isNaN(size)) return Number.NaN;
  }
  return largest;
}

/**
 * A direction in 16 bits a part, as two planes of signed bytes: `upper` alone is what all rows are compared by, both together what the
 * best of them are. Gives the scale: a part is (256 × upper + lower) × scale.
 */
export function quantiseRow(direction: Float64Array, upper: Int8Array, lower: Int8Array): number {
  const scale = largestOf(direction) / largestPart;
  const inverse = 1 / scale;
  for (let part = 0; part < direction.length; part++) {
    const whole = Math.round((direction[part] as number) * inverse);
    const high = (whole + 128) >> 8;
    upper[part] = high;
    lower[part] = whole - high * 256;
  }
  return scale;
}

/** A direction as a question, in 14 bits a part. Gives the scale, by which all scores of the question are too small. */
export function quantiseQuestion(direction: Float64Array, asked: Int16Array): number {
  const scale = largestOf(direction) / largestAsked;
  for (let part = 0; part < direction.length; part++) asked[part] = Math.round((direction[part] as number) / scale);
  return scale;
}

/** The length of what lies behind the first `head` parts. */
export function lengthBehind(head: number, direction: Float64Array): number {
  let squares = 0;
  for (let at = head; at < direction.length; at++) squares += (direction[at] as number) * (direction[at] as number);
  return Math.sqrt(squares);
}

/** The dot product of a question, from one of its parts on, with that much of a row; both planes, without the scale. */
export function dotPlanes(direction: Float64Array, from: number, { upper, lower }: Planes): number {
  const count = Math.min(upper.length, direction.length - from);
  let sum = 0;
  for (let part = 0; part < count; part++)
    sum += (direction[from + part] as number) * ((upper[part] as number) * 256 + (lower[part] as number));
  return sum;
}

/** A piece of a row as it is kept. */
export interface Planes {
  readonly upper: Int8Array;
  readonly lower: Int8Array;
}
