import { parseArgs } from "node:util";
import { findSimilar } from "../../engine/runtime/did-you-mean.ts";
import { readDuration } from "../../engine/runtime/duration.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import type { Command, CommandInput, CommandOption, CommandOptions } from "./command.ts";

/** Options that every command has. */
export const commonOptions = {
  help: { kind: "flag", short: "h", about: "show this help" },
} as const satisfies CommandOptions;

/** Reads what stands behind a command's name; throws `UsageError` naming what is wrong with it. */
export function readArguments(
  command: Command,
  provided: readonly string[],
): CommandInput<CommandOptions> & { readonly wantsHelp: boolean } {
  const options: CommandOptions = { ...command.options, ...commonOptions };
  const { tokens } = parseArgs({ args: [...provided], options: describe(options), strict: false, tokens: true });
  const values: Record<string, unknown> = {};
  const words: string[] = [];
  const reader: ArgumentReader = { command: command.name, options, values };
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind === "option") readOption(token, reader);
  }
  const wantsHelp = values.help === true;
  if (!wantsHelp) checkWords(command, words);
  return { words, values: values as CommandInput<CommandOptions>["values"], wantsHelp };
}

interface ArgumentReader {
  readonly command: string;
  readonly options: CommandOptions;
  readonly values: Record<string, unknown>;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function describe(options: CommandOptions) {
  const entries = Object.entries(options).map(([name, { kind, short }]) => {
    const type = kind === "flag" ? ("boolean" as const) : ("string" as const);
    return [name, { type, ...(short === undefined ? {} : { short }) }] as const;
  });
  return Object.fromEntries(entries);
}

function readOption(
  { name, rawName, value, inlineValue }: OptionToken,
  { command, options, values }: ArgumentReader,
): void {
  const hint = `tollgate ${command} --help lists its options.`;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) throw unknownOption(rawName, options, hint);
  if (option.kind === "flag") {
    if (inlineValue) throw new UsageError(`${rawName} takes no value.`, hint);
    values[name] = true;
    return;
  }
  const isMissing = value === undefined || (value === "" && option.kind === "text");
  if (isMissing || (!inlineValue && value.startsWith("--"))) {
    throw new UsageError(`${rawName} needs a value: ${rawName} <${option.value ?? "value"}>.`, hint);
  }
  if (option.kind !== "list" && Object.hasOwn(values, name)) throw new UsageError(`${rawName} is there twice.`, hint);
  const read = readValue(rawName, value, option);
  values[name] = option.kind === "list" ? [...((values[name] as string[] | undefined) ?? []), value] : read;
}

function unknownOption(rawName: string, options: CommandOptions, hint: string): UsageError {
  const similar = findSimilar(rawName.replace(/^-+/, ""), Object.keys(options));
  return new UsageError(`Unknown option ${rawName}.`, similar === undefined ? hint : `Did you mean --${similar}?`);
}

function readValue(rawName: string, value: string, option: CommandOption): string | number {
  const { kind, choices } = option;
  if (kind === "integer" || kind === "number") return readNumber(rawName, value, option);
  if (kind === "duration") return readShortDuration(rawName, value);
  if (choices === undefined || choices.some((choice) => fitsChoice(choice, value))) return value;
  const similar = findSimilar(value, choices);
  const hint = similar === undefined ? `Valid values: ${choices.join(", ")}.` : `Did you mean ${similar}?`;
  throw new UsageError(`${rawName} cannot be "${value}".`, hint);
}

/** A choice that ends with a name in angle brackets, such as `metadata.<tag>`, stands for all names. */
function fitsChoice(choice: string, value: string): boolean {
  const open = choice.endsWith(">") ? choice.indexOf("<") : -1;
  return open < 0 ? choice === value : value.length > open && value.startsWith(choice.slice(0, open));
}

function readNumber(
  rawName: string,
  value: string,
  { kind, least = -Infinity, most = Infinity }: CommandOption,
): number {
  const number = value.trim() === "" ? Number.NaN : Number(value);
  const isRight = Number.isFinite(number) && (kind === "number" || Number.isInteger(number));
  if (isRight && number >= least && number <= most) return number;
  const what = kind === "integer" ? "a whole number" : "a number";
  const upper = most === Infinity ? "" : ` to ${most}`;
  const range = least === -Infinity ? "" : ` from ${least}${upper}`;
  throw new UsageError(
    `${rawName} must be ${what}${range}${upper === "" && range !== "" ? " on" : ""}, not "${value}".`,
    "",
  );
}

function readShortDuration(rawName: string, value: string): number {
  const ms = readDuration(value, "s");
  if (ms !== undefined && ms <= 86_400_000) return Math.round(ms);
  throw new UsageError(
    `${rawName} must be a duration of at most one day, such as 500ms, 30s or 2m, not "${value}".`,
    "",
  );
}

function checkWords({ name, usage, words: [least, most] }: Command, words: readonly string[]): void {
  const hint = `tollgate ${name} --help shows its usage.`;
  const provided = words.findIndex((word) => word.trim() === "");
  const count = provided < 0 ? words.length : provided; // an empty variable of a shell is a word that is not there
  const missing = usage.match(/<[^>]+>/g)?.[count];
  if (count < least) throw new UsageError(`tollgate ${name} needs ${missing ?? "more words"}.`, hint);
  const extra = words[most];
  if (extra !== undefined) throw new UsageError(`tollgate ${name} does not take "${extra}".`, hint);
}
