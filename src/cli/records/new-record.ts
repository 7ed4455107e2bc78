import type { VirtualKey } from "../../engine/api/governance.ts";
import { type StoreFunctions, storeOptions } from "../../server/store/with-store.ts";
import { alignColumns } from "../../server/terminal/format.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import type { Values } from "../program/command.ts";
import { describeFully, describeLimits } from "./describe.ts";
import { limitOptions, readLimits, readMaxInFlight } from "./limits/limits.ts";
import { type AnyRecord, findRecord, type RecordWord } from "./record-access.ts";

/** Options of every `create` command. */
export const draftOptions = {
  description: { kind: "text", value: "text", about: "purpose, as free text" },
  tag: { kind: "list", value: "name=value", about: "custom tag; repeatable" },
  json: { kind: "flag", about: "print the created record as JSON" },
  ...limitOptions,
  ...storeOptions,
} as const;

/** The option that names the owning customer. */
export const customerOption = {
  kind: "text",
  value: "customer",
  about: "customer that owns it, by id or name",
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
    max_in_flight: readMaxInFlight(values),
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
export async function idOf(
  store: StoreFunctions,
  word: RecordWord,
  text: string | undefined,
): Promise<string | undefined> {
  return text === undefined ? undefined : (await findRecord(store, word, text)).id;
}

/** Prints a record. Returns the exit code. */
export function printRecord(terminal: Terminal, record: AnyRecord, isJson = false): number {
  const text = isJson
    ? `${JSON.stringify(record, null, 2)}\n`
    : alignColumns([...describeFully(record, terminal.now()), ...describeLimits(record)]);
  terminal.out(text);
  return 0;
}

interface NewKey {
  readonly key: VirtualKey;
  readonly value: string;
  readonly isJson: boolean;
}

/** Prints only the value to stdout, for `KEY=$(tollgate key create …)`, and the details to stderr. */
export function printKey(terminal: Terminal, { key, value, isJson }: NewKey): void {
  if (!isJson)
    terminal.err(
      `${alignColumns([...describeFully(key, terminal.now()), ...describeLimits(key)])}The value of the key, shown only once:\n`,
    );
  terminal.out(isJson ? `${JSON.stringify({ value, key }, null, 2)}\n` : `${value}\n`);
}
