/** One pattern or several, of which one has to fit. */
export type Patterns = string | readonly string[];

/** True when the text fits the pattern, in which `*` stands for any run of characters, the empty one included. Never backtracks. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = "", ...pieces] = pattern.split("*");
  const last = pieces.pop();
  if (last === undefined) return first === text;
  const end = text.length - last.length;
  if (first.length > end || !text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, from);
    if (found === -1 || found + piece.length > end) return false;
    from = found + piece.length;
  }
  return true;
}

/** True when the text fits one of the patterns; no pattern fits nothing. */
export function matchesAny(patterns: Patterns, text: string): boolean {
  if (typeof patterns === "string") return matchesPattern(patterns, text);
  return patterns.some((pattern) => matchesPattern(pattern, text));
}
