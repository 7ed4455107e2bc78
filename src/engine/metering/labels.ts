/** Characters that it keeps of the caller's own user. */
export const longestUser = 256;
/** Tags that it keeps of a request, and characters of their names and values; vendors allow no more. */
const mostTags = 64;
const longestName = 64;
const longestValue = 512;

/** As much of a text as is kept; half a character, sent or left by the cut, as U+FFFD, which is what files keep of it. */
export function clip(text: string, longest: number): string {
  const retained = text.length > longest ? text.slice(0, longest) : text;
  return retained.isWellFormed() ? retained : retained.toWellFormed();
}

/** The metadata of a request as tags: values that are text, numbers or booleans, as much of them as is kept, without what `hide` hides. */
export function readTags(metadata: unknown, hide: (text: string) => string): Record<string, string> | undefined {
  if (typeof metadata !== "object" || metadata === null) return undefined;
  const plain = Object.entries(metadata).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  const retained = plain
    .slice(0, mostTags)
    .map(([name, value]) => [clip(hide(name), longestName), clip(hide(String(value)), longestValue)]);
  return retained.length === 0 ? undefined : Object.fromEntries(retained);
}
