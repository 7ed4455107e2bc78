import { createHash } from "node:crypto";
import { longestToolName } from "../../api/mcp/access.ts";
import { GatewayError } from "../../errors.ts";

/** Between the server's name, which never has it, and the tool's. */
const separator = "__";

/** Models of all vendors take names of so many of these characters. */
const mostCharacters = 64;
const usable = /^[A-Za-z0-9_-]+$/;

/** Digits of the hash that tells names apart which could not stay as they are. */
const hashDigits = [8, 16, 32] as const;

/** Names with control characters are nobody's: they are in no list. */
const controls = /\p{Cc}/u;

/** Whether a server's own name of a tool can be shown and called. */
function isNameable(tool: string): boolean {
  return tool !== "" && tool.length <= longestToolName && !controls.test(tool);
}

/**
 * The public names of a server's tools (`server__tool`) and the server's own. A name that is too long, or has characters that models do not
 * take, is shortened and ends with a hash of itself, so that it is the same in every process and never another tool's.
 */
export function publicNames(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const own = [...new Set(tools)].filter(isNameable);
  const plain = own.filter((tool) => usable.test(tool) && joined(server, tool).length <= mostCharacters);
  for (const tool of plain) names.set(joined(server, tool), tool);
  const isPlain = new Set(plain);
  for (const tool of own) {
    if (isPlain.has(tool)) continue;
    const name = hashDigits.map((digits) => hashedName(server, tool, digits)).find((each) => !names.has(each));
    if (name !== undefined) names.set(name, tool);
  }
  return names;
}

/** The server that a public name begins with; throws `invalid_request` for a name of another form. */
export function serverOf(name: string): string {
  const end = name.indexOf(separator);
  if (end > 0) return name.slice(0, end);
  throw new GatewayError("not_found", unknownToolMessage(name), { param: "name" });
}

/** What is said about a tool that is not there, or not allowed: a key learns nothing about what others may call. */
export function unknownToolMessage(name: string): string {
  return `There is no tool \`${name.slice(0, 200)}\` that may be called: \`tools/list\` shows those of this key.`;
}

function joined(server: string, tool: string): string {
  return `${server}${separator}${tool}`;
}

function hashedName(server: string, tool: string, digits: number): string {
  const hash = createHash("sha256").update(tool).digest("hex").slice(0, digits);
  const room = Math.max(0, mostCharacters - joined(server, `_${hash}`).length);
  return joined(server, `${tool.replaceAll(/[^A-Za-z0-9_-]/gu, "_").slice(0, room)}_${hash}`);
}
