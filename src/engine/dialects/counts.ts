/**
 * True for a count of tokens that a vendor states and that is not a count: negative, a fraction, a text. A usage with one is dropped, so
 * that the engine counts for itself and marks its usage as estimated. An absent count, or null, means no tokens.
 */
export function isInvalidCount(value: unknown): boolean {
  return value !== undefined && value !== null && !isCount(value);
}

/** A count of tokens, 0 for anything else. */
export function countOf(value: unknown): number {
  return isCount(value) ? value : 0;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
