const mostDimensions = 16_000;

/**
 * A vector of length 1 in the binary form of pgvector: the number of its parts and a nought (16 bits each), then its parts (float32),
 * the highest byte first. `undefined` for a vector without direction, and for one that is longer than pgvector can hold.
 */
export function toUnit(vector: ArrayLike<number>): Buffer | undefined {
  if (vector.length > mostDimensions) return undefined;
  let largest = 0;
  for (let n = 0; n < vector.length; n++) largest = Math.max(largest, Math.abs(vector[n] as number));
  if (!(largest > 0 && largest < Infinity)) return undefined;
  let sum = 0; // of parts of 1 at most: squares of large ones would be infinite, of small ones nought
  for (let n = 0; n < vector.length; n++) sum += ((vector[n] as number) / largest) ** 2;
  const length = Math.sqrt(sum);
  const bytes = Buffer.allocUnsafe(4 + 4 * vector.length);
  bytes.writeUInt16BE(vector.length, 0);
  bytes.writeUInt16BE(0, 2);
  for (let n = 0; n < vector.length; n++) bytes.writeFloatBE((vector[n] as number) / largest / length, 4 + 4 * n);
  return bytes;
}
