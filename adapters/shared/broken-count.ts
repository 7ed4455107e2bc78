/**
 * True of a count that a vendor states and that is none: negative, a fraction, a text. A usage with one is left out, so that the engine
 * counts for itself and marks it as estimated; one that is left out, or null, is no tokens.
 */
export function isBrokenCount(value: unknown): boolean {
  return value !== undefined && value !== null && !(Number.isInteger(value) && (value as number) >= 0);
}
