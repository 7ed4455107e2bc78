import { type Books, booksOptions } from "../books/work.ts";
import { UsageError, type Values } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { alignColumns } from "../words.ts";
import { describeFully, describeLimits } from "./describe.ts";
import { type AnyRecord, findRecord, type RecordWord } from "./drawer.ts";
import { limitOptions, readLimits } from "./limits.ts";

/** Options of everything that can be made. */
export const draftOptions = {
  description: { kind: "text", value: "text", about: "what it is for" },
  tag: { kind: "list", value: "name=value", about: "a tag of your own; may be repeated" },
  json: { kind: "flag", about: "print what was made as JSON" },
  ...limitOptions,
  ...booksOptions,
} as const;

/** The option by which a record says whose it is. */
export const customerOption = {
  kind: "text",
  value: "customer",
  about: "the customer that it belongs to, by id or name",
} as const;

/** What the options say of any new record. */
export function draftOf(name: string, values: Values<typeof draftOptions>) {
  const { budgets, rate_limits } = readLimits(values);
  return {
    name,
    description: values.description,
    metadata: Object.fromEntries((values.tag ?? []).map(readTag)),
    budgets: [...budgets],
    rate_limits: [...rate_limits],
  };
}

function readTag(text: string): [string, string] {
  const equals = text.indexOf("=");
  if (equals <= 0) throw new UsageError(`--tag must be name=value, not "${text}".`, "");
  const name = text.slice(0, equals);
  // JavaScript gives this name a meaning of its own, so that it gets lost on the way.
  if (name === "__proto__") throw new UsageError("--tag cannot be named __proto__.", "Take another name.");
  return [name, text.slice(equals + 1)];
}

/** The id of the record that an option names, if it names one. */
export async function idOf(books: Books, word: RecordWord, text: string | undefined): Promise<string | undefined> {
  return text === undefined ? undefined : (await findRecord(books, word, text)).id;
}

/** Prints a record, and gives the exit code. */
export function tellRecord(terminal: Terminal, record: AnyRecord, isJson = false): number {
  const text = isJson
    ? `${JSON.stringify(record, null, 2)}\n`
    : alignColumns([...describeFully(record, terminal.now()), ...describeLimits(record)]);
  terminal.out(text);
  return 0;
}
