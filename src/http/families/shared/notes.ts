import { GatewayError } from "../../../errors.ts";
import { inCallersWords } from "../../origins.ts";

/** What there is to say of a translation beside its outcome. */
export interface Notes {
  /** Our field → the vendor's, for errors and warnings that name a field. */
  readonly origins: Map<string, string>;
  /** What could not be kept, with the vendor's name of the field. */
  readonly warnings: string[];
}

export function newNotes(origins: Readonly<Record<string, string>> = {}): Notes {
  return { origins: new Map(Object.entries(origins)), warnings: [] };
}

/** Names a field of the vendor's that is not carried over. */
export function warnUnkept({ warnings }: Notes, field: string, because = "has no counterpart and is left out"): void {
  warnings.push(`\`${field}\` ${because}`);
}

/** The error of a field that cannot be translated; `param` is the vendor's name of it. */
export function refuseField(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\` ${problem}`, { param });
}

/** Names every field that is neither known nor empty. */
export function warnOfRest(given: Readonly<Record<string, unknown>>, known: ReadonlySet<string>, place: Place): void {
  for (const [field, value] of Object.entries(given)) {
    if (!known.has(field) && !isEmpty(value)) warnUnkept(place.notes, `${place.path}${field}`);
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Where fields stand: a dotted path that ends in a dot, or nothing. */
export interface Place {
  readonly notes: Notes;
  readonly path: string;
}

/** Room that the header takes; clients and proxies allow no more than 8 to 16 KB for all headers together. */
const mostCharacters = 4_096;

/**
 * The `x-tg-warnings` header: a JSON list of texts, in ASCII; empty without warnings. Those of the translation have the caller's names
 * already; the engine's are told in them.
 */
export function warningHeaders({ warnings, origins }: Notes, ofEngine: readonly string[]): Record<string, string> {
  const told = [...new Set([...warnings, ...ofEngine.map((warning) => inCallersWords(warning, origins))])];
  if (told.length === 0) return {};
  const kept: string[] = [];
  let size = 0;
  for (const warning of told) {
    size += toAscii(JSON.stringify(warning)).length + 1;
    if (size > mostCharacters) break;
    kept.push(warning);
  }
  if (kept.length < told.length) kept.push(`and ${told.length - kept.length} more`);
  return { "x-tg-warnings": toAscii(JSON.stringify(kept)) };
}

/** JSON with everything escaped that a header may not hold. */
function toAscii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
