import { inCallerFields } from "../../request/field-names.ts";

/** Field names and warnings of one translation. */
export interface Notes {
  /** Our field → the vendor's, for errors and warnings that name a field. */
  readonly origins: Map<string, string>;
  /** What could not be carried over, under the vendor's name of the field. */
  readonly warnings: string[];
}

export function newNotes(origins: Readonly<Record<string, string>> = {}): Notes {
  return { origins: new Map(Object.entries(origins)), warnings: [] };
}

/** Names a field of the vendor's that is not carried over. */
export function warnUnsupportedFields(
  { warnings }: Notes,
  field: string,
  because = "has no counterpart and is left out",
): void {
  warnings.push(`\`${field}\` ${because}`);
}

/** Names every field that is neither known nor empty. */
export function warnOfRest(
  provided: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  at: FieldPath,
): void {
  for (const [field, value] of Object.entries(provided)) {
    if (!known.has(field) && !isEmpty(value)) warnUnsupportedFields(at.notes, `${at.path}${field}`);
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** The path of an object in the vendor's request: dotted, ending in a dot, or empty at the top. */
export interface FieldPath {
  readonly notes: Notes;
  readonly path: string;
}

/** Most characters of the header; clients and proxies allow no more than 8 to 16 KB for all headers together. */
const mostCharacters = 4_096;

/**
 * The `x-tg-warnings` header: a JSON list of texts, in ASCII; no header without warnings. Warnings of the translation have the caller's
 * field names already; those of the engine are renamed to them.
 */
export function warningHeaders({ warnings, origins }: Notes, ofEngine: readonly string[]): Record<string, string> {
  const reported = [...new Set([...warnings, ...ofEngine.map((warning) => inCallerFields(warning, origins))])];
  return writeWarnings(reported);
}

/** The header of warnings that are written as they are. */
export function writeWarnings(reported: readonly string[]): Record<string, string> {
  if (reported.length === 0) return {};
  const fitting: string[] = [];
  let size = 0;
  for (const warning of reported) {
    size += toAscii(JSON.stringify(warning)).length + 1;
    if (size > mostCharacters) break;
    fitting.push(warning);
  }
  if (fitting.length < reported.length) fitting.push(`and ${reported.length - fitting.length} more`);
  return { "x-tg-warnings": toAscii(JSON.stringify(fitting)) };
}

/** JSON with everything escaped that a header may not hold. */
function toAscii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
