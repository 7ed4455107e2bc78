/** How alike two vectors are: the cosine of the angle between them, -1 to 1; 0 where one has no direction. */
export function similarity(one: readonly number[], other: readonly number[]): number {
  const dot = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
  const sizes = lengthOf(one) * lengthOf(other);
  return sizes === 0 ? 0 : Math.max(-1, Math.min(1, dot / sizes));
}

function lengthOf(vector: readonly number[]): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}

/** The texts of a field: one a line, without empty ones. */
export function linesOf(typed: string): readonly string[] {
  return typed
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The vectors of an answer in the order of its texts; those in base64 are left out. */
export function vectorsOf(value: unknown): readonly (readonly number[])[] {
  const { data } = value as { readonly data?: readonly { readonly index?: number; readonly embedding?: unknown }[] };
  return [...(data ?? [])]
    .sort((one, other) => (one.index ?? 0) - (other.index ?? 0))
    .flatMap(({ embedding }) => (Array.isArray(embedding) ? [embedding as readonly number[]] : []));
}
