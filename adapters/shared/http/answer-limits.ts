/** Bytes that a whole answer may have, decoded, unless its transport is told otherwise. */
const longestAnswer = 256 * 1024 * 1024;

/** Bytes that are worth reading of the body of a refusal. */
export const longestRefusal = 1024 * 1024;

/** Bytes that a whole answer of this status may have where a good one may have `limit`. */
export function wholeLimit(status: number, limit = longestAnswer): number {
  return status < 300 ? limit : Math.min(limit, longestRefusal);
}
