/** Deeper nesting than anybody needs; what is allowed here can be walked and written out again without a stack overflow. */
export const deepestJson = 1_000;

/** What a pass over a JSON text finds, before it is parsed. */
export interface JsonExtent {
  /** Values of all kinds: members of objects, elements of lists, and the whole. */
  readonly values: number;
  /** Levels of nesting at the deepest. */
  readonly depth: number;
  /** Names of members, repeated ones too. */
  readonly fields: number;
  /** Where the long objects and lists begin and end that are members or elements of the whole. */
  readonly longParts: readonly JsonRange[];
}

/** Positions of the first character of a JSON value and of the one behind its last. */
export interface JsonRange {
  readonly start: number;
  readonly end: number;
}

/** Characters from which a part is long. */
const longPart = 4_096;

/** How much of it is worth counting: the pass ends where one of the two is exceeded. */
export type JsonExtentBounds = Pick<JsonExtent, "values" | "depth">;

const quote = 34;
const comma = 44;
const colon = 58;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/**
 * Measures a JSON text in one pass, which jumps over strings by native search. Of a text that is no JSON the numbers mean nothing; the
 * parser will say so.
 */
export function measureJson(text: string, most: JsonExtentBounds): JsonExtent {
  let values = 1;
  let fields = 0;
  let level = 0;
  let depth = 0;
  let start = 0;
  const longParts: JsonRange[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfString(text, at);
    else if (sign === comma) values++;
    else if (sign === colon) fields++;
    else if (sign === openBracket || sign === openBrace) {
      if (!closesNext(text, at)) values++;
      if (++level > depth) depth = level;
      if (level === 2) start = at;
    } else if (sign === closeBracket || sign === closeBrace) {
      if (--level === 1 && at - start >= longPart) longParts.push({ start, end: at + 1 });
    }
    if (values > most.values || depth > most.depth) break;
  }
  return { values, depth, fields, longParts };
}

/** True for a container that ends before anything is in it; each white space is looked at once, since it follows one bracket only. */
function closesNext(text: string, opening: number): boolean {
  let at = opening + 1;
  while (isBlank(text.charCodeAt(at))) at++;
  const sign = text.charCodeAt(at);
  return sign === closeBracket || sign === closeBrace;
}

function isBlank(sign: number): boolean {
  return sign === 32 || sign === 10 || sign === 13 || sign === 9;
}

/**
 * The position of the quote that closes the string opened at `start`, or the text's end where none does; long strings are passed over by native
 * search.
 */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** Most values of a JSON text of a provider or a back end: a page of embeddings has some millions. */
const mostOfOthers = 32_000_000;

/** Parses JSON that a provider or a back end wrote; throws for a text that is no JSON, and for one that nests too deep or holds too much. */
export function parseBounded(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  if (isBeyondBounds(text)) throw new RangeError("The JSON text is nested too deep, or holds too many values.");
  return parse(text);
}

/**
 * True for JSON text that nests too deep or holds too much to be read. Counts only in a text that is long enough, and has enough brackets, to
 * go past a bound: most do not.
 */
export function isBeyondBounds(text: string): boolean {
  if (text.length <= 2 * deepestJson) return false;
  if (text.length <= mostOfOthers && !hasManyBrackets(text)) return false;
  const { values, depth } = measureJson(text, { values: mostOfOthers, depth: deepestJson });
  return values > mostOfOthers || depth > deepestJson;
}

function hasManyBrackets(text: string): boolean {
  let count = 0;
  for (const bracket of ["[", "{"]) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++count > deepestJson) return true;
    }
  }
  return false;
}

/** Names of members in a parsed value; fewer than its text has where a name was repeated. Only for values of bounded depth. */
export function countFields(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const entry of value) if (typeof entry === "object") count += countFields(entry);
    return count;
  }
  const record = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(record)) {
    const member = record[name];
    count += typeof member === "object" ? 1 + countFields(member) : 1;
  }
  return count;
}
