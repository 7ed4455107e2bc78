/** A text of JSON, with the colon that makes it a name, or a brace; braces inside texts are part of those. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/gs;

/** Where in valid JSON an object has a name for the second time; `JSON.parse` would leave the first one aside. */
export function findDuplicateKey(text: string): { readonly line: number; readonly col: number } | undefined {
  const objects: Set<string>[] = [];
  for (const { 0: found, 1: colon, index } of text.matchAll(token)) {
    if (found === "{") objects.push(new Set());
    if (found === "}") objects.pop();
    if (colon === undefined) continue;
    const name: string = JSON.parse(found.slice(0, -colon.length));
    const names = objects.at(-1);
    if (names?.has(name)) return scopeOf(text, index);
    names?.add(name);
  }
  return undefined;
}

function scopeOf(text: string, index: number) {
  const before = text.slice(0, index).split("\n");
  return { line: before.length, col: (before.at(-1)?.length ?? 0) + 1 };
}
