/** A string or a number in JSON text, and where it stands there. */
export interface JsonText {
  /** As a program reads it: a string without its quotes and escapes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** The strings, names and numbers of JSON text, each in its place; `undefined` for text that is no JSON. */
export function jsonTexts(json: string): readonly JsonText[] | undefined {
  try {
    JSON.parse(json);
  } catch {
    return undefined;
  }
  return Array.from(json.matchAll(token), ({ 0: found, index }) => {
    const text = found.startsWith('"') ? (JSON.parse(found) as string) : found;
    return { text, start: index, end: index + found.length };
  });
}

/** JSON text with other strings in some places; all else stays byte for byte. */
export function withTexts(json: string, texts: readonly JsonText[], next: readonly string[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const [position, { text, ...place }] of texts.entries()) {
    const replaced = next[position] ?? text;
    if (replaced === text) continue;
    parts.push(json.slice(end, place.start), JSON.stringify(replaced));
    end = place.end;
  }
  return parts.join("") + json.slice(end);
}
