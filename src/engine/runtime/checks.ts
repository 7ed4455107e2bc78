import { type ErrorCode, GatewayError } from "../errors.ts";
import { suggest } from "./did-you-mean.ts";

/** A predicate for the value of an option, and the phrase that error messages use for a valid value. */
export type Check = readonly [fits: (value: unknown) => boolean, what: string];

/** One check for each option. */
export type Checks<Options> = Readonly<Record<keyof Options, Check>>;

/** Accepts any value; the code that uses the option checks it. */
export const anything: Check = [() => true, "anything"];
export const text: Check = [(value) => typeof value === "string", "a string"];
export const flag: Check = [(value) => typeof value === "boolean", "true or false"];
export const callable: Check = [(value) => typeof value === "function", "a function"];
export const object: Check = [(value) => typeof value === "object" && value !== null, "an object"];
export const list: Check = [Array.isArray, "a list"];
export const positive: Check = [(value) => typeof value === "number" && value > 0, "a number above 0"];

export const amount: Check = [(value) => typeof value === "number" && value >= 0, "a number of at least 0"];

/** An object that has a distinguishing member. */
export function having(member: string, what: string): Check {
  return [(value) => object[0](value) && member in (value as object), what];
}

/** One of several strings. */
export function oneOf(...words: readonly string[]): Check {
  return [(value) => words.includes(value as string), words.map((word) => `\`${word}\``).join(" or ")];
}

/** What the options belong to, as error messages name it. */
export interface Subject<Options> {
  /** The factory or function, such as `openai` or `a call`. */
  readonly of: string;
  /** Default: `invalid_configuration`. */
  readonly code?: ErrorCode;
  /** The required options. */
  readonly needs?: readonly (keyof Options & string)[];
}

/** Throws a `GatewayError` whose `param` names the first unknown, invalid or missing option. `undefined` counts as missing. */
export function checkOptions<Options extends object>(
  options: Options,
  checks: Checks<Options>,
  { of, code = "invalid_configuration", needs = [] }: Subject<Options>,
): void {
  const refuse = (param: string, problem: string) => new GatewayError(code, `${problem}.`, { param });
  if (!object[0](options)) throw refuse("options", `The options of ${of} must be ${object[1]}`);
  for (const name in options) {
    const value = options[name];
    if (value === undefined) continue;
    const check = checks[name];
    if (!Array.isArray(check))
      // a member that every object inherits is not a check
      throw refuse(name, unknownOption(name, of, Object.keys(checks)));
    const [fits, what] = check as Check;
    if (!fits(value)) throw refuse(name, `\`${name}\` of ${of} must be ${what}`);
  }
  for (const name of needs)
    if (options[name] === undefined) throw refuse(name, `\`${name}\` of ${of} is required (${checks[name][1]})`);
}

function unknownOption(name: string, of: string, known: readonly string[]): string {
  const hint = suggest(name, known) || ".";
  return `Unknown option \`${name}\` of ${of}${hint} Valid options: ${known.join(", ")}`;
}
