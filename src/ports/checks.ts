import { type ErrorCode, GatewayError } from "../errors.ts";

/** Whether a value is what an option must be, and what that is in words. */
export type Check = readonly [fits: (value: unknown) => boolean, what: string];

/** A check for every option that there is. */
export type Checks<Options> = Readonly<Record<keyof Options, Check>>;

/** Taken as it is: whoever uses it looks into it. */
export const anything: Check = [() => true, "anything"];
export const text: Check = [(value) => typeof value === "string", "a string"];
export const flag: Check = [(value) => typeof value === "boolean", "true or false"];
export const callable: Check = [(value) => typeof value === "function", "a function"];
export const object: Check = [(value) => typeof value === "object" && value !== null, "an object"];
export const list: Check = [Array.isArray, "a list"];
export const positive: Check = [(value) => typeof value === "number" && value > 0, "a number above 0"];

export const amount: Check = [(value) => typeof value === "number" && value >= 0, "a number from 0 on"];

/** An object that is told by a member which no other has. */
export function having(member: string, what: string): Check {
  return [(value) => object[0](value) && member in (value as object), what];
}

/** One of some words. */
export function oneOf(...words: readonly string[]): Check {
  return [(value) => words.includes(value as string), words.map((word) => `\`${word}\``).join(" or ")];
}

/** Whose options they are. */
export interface Subject<Options> {
  /** In words. */
  readonly of: string;
  /** `invalid_configuration` unless given. */
  readonly code?: ErrorCode;
  /** Those that must be there. */
  readonly needs?: readonly (keyof Options & string)[];
}

/** Throws for what is no option and for what an option must not be, by its name. What is `undefined` counts as left out. */
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
      // what every object inherits is no check
      throw refuse(name, `\`${name}\` is no option of ${of}; there are ${Object.keys(checks).join(", ")}`);
    const [fits, what] = check as Check;
    if (!fits(value)) throw refuse(name, `\`${name}\` of ${of} must be ${what}`);
  }
  for (const name of needs)
    if (options[name] === undefined)
      throw refuse(name, `\`${name}\` of ${of} is missing: it must be ${checks[name][1]}`);
}
