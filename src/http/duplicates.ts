import { endOfString } from "./json-text.ts";

/** One object or list that is open while a text is read. */
interface Open {
  readonly isObject: boolean;
  readonly keys: Set<string>;
  key: string;
  expectsKey: boolean;
}

/**
 * The path of the first field that an object of a JSON text has twice, among the objects that `isNamed` says of by their path; `undefined`
 * when there is none. A parser would keep the last of the two in silence. The text must be JSON.
 */
export function findDuplicate(text: string, isNamed: (path: readonly string[]) => boolean): string | undefined {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    const top = open.at(-1);
    if (sign === "{" || sign === "[") {
      open.push({ isObject: sign === "{", keys: new Set(), key: "", expectsKey: sign === "{" });
    } else if (sign === "}" || sign === "]") open.pop();
    else if (sign === "," && top) top.expectsKey = top.isObject;
    else if (sign === '"') {
      const end = endOfString(text, at);
      const path = top?.expectsKey ? takeKey(open, JSON.parse(text.slice(at, end + 1)), isNamed) : undefined;
      if (path !== undefined) return path;
      at = end;
    }
  }
  return undefined;
}

/** Notes a key of the innermost object; gives its path when it was there before. */
function takeKey(
  open: readonly Open[],
  key: string,
  isNamed: (path: readonly string[]) => boolean,
): string | undefined {
  const top = open.at(-1) as Open;
  top.key = key;
  top.expectsKey = false;
  const outer = open.slice(0, -1).map((each) => each.key);
  if (!isNamed(outer)) return undefined;
  const isTwice = top.keys.has(key);
  top.keys.add(key);
  return isTwice ? [...outer, key].join(".") : undefined;
}
