import { endOfString } from "./json-scan.ts";

/** One object or list that is open while a text is read. */
interface OpenContainer {
  /** Names so far; absent for a list. */
  readonly names: Set<string> | undefined;
  /** The member that is being read: its name, or its place. */
  member: string | number;
  expectsName: boolean;
}

/** Characters of a path that are worth reporting. */
const longestPath = 300;

/**
 * The dotted path of the first field that an object of a JSON text has twice; `undefined` when there is none. A parser would keep the
 * last of the two in silence. The text must be JSON.
 */
export function findDuplicate(text: string): string | undefined {
  const open: OpenContainer[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "{") open.push({ names: new Set(), member: "", expectsName: true });
    else if (sign === "[") open.push({ names: undefined, member: 0, expectsName: false });
    else if (sign === "}" || sign === "]") open.pop();
    else if (sign === ",") beginMember(open.at(-1));
    else if (sign === '"') {
      const end = endOfString(text, at);
      const top = open.at(-1);
      if (top?.expectsName && isRepeated(top, JSON.parse(text.slice(at, end + 1)))) return pathOf(open);
      at = end;
    }
  }
  return undefined;
}

function beginMember(top: OpenContainer | undefined): void {
  if (top === undefined) return;
  top.expectsName = top.names !== undefined;
  if (typeof top.member === "number") top.member++;
}

/** Notes a name of the innermost object; true when it was there before. */
function isRepeated(top: OpenContainer, name: string): boolean {
  top.member = name;
  top.expectsName = false;
  if (top.names?.has(name)) return true;
  top.names?.add(name);
  return false;
}

function pathOf(open: readonly OpenContainer[]): string {
  let path = "";
  for (const { member } of open) {
    path = path === "" ? String(member) : `${path}.${member}`;
    if (path.length > longestPath) return `${path.slice(0, longestPath)}…`;
  }
  return path;
}
