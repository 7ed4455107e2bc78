/**
 * How well a typed text fits a name, higher is better; undefined where it does not. Its characters have to be in the name in this order.
 * Those that begin a word, and those that follow one another, count more.
 */
export function scoreOf(typed: string, name: string): number | undefined {
  const wanted = typed.toLowerCase().replace(/\s+/g, "");
  const text = name.toLowerCase();
  if (wanted === "") return 0;
  let at = -1;
  let score = 0;
  for (const letter of wanted) {
    const found = text.indexOf(letter, at + 1);
    if (found === -1) return undefined;
    if (found === at + 1) score += 4;
    if (found === 0 || /[\s/_.-]/.test(text[found - 1] ?? "")) score += 3;
    score -= Math.min(3, found - at - 1) * 0.5;
    at = found;
  }
  if (text.includes(typed.toLowerCase().trim())) score += 6;
  return score - text.length * 0.01;
}

/** The entries that a typed text fits, the best first; of equals, the one that comes first. */
export function rank<Entry extends { readonly name: string }>(typed: string, entries: readonly Entry[]): Entry[] {
  return entries
    .flatMap((entry) => {
      const score = scoreOf(typed, entry.name);
      return score === undefined ? [] : [{ entry, score }];
    })
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry);
}
