import {
  anything,
  type Checks,
  callable,
  checkOptions,
  list,
  object,
  type Subject,
  text,
} from "../../src/engine/runtime/checks.ts";

export { type Deadlines, duration, durations, durationUpTo, msOf } from "./durations.ts";

import { rulesCheck } from "./chat/rules-option.ts";
import type { KeyOptions } from "./credentials.ts";
import type { WireOptions } from "./http/wire-options.ts";

export {
  anything,
  type Checks,
  callable,
  flag,
  list,
  object,
  oneOf,
  positive,
  text,
} from "../../src/engine/runtime/checks.ts";

/** What the options of all providers over HTTP must be. */
export const wireChecks: Checks<WireOptions> = {
  headers: object,
  callerHeaders: list,
  fetch: callable,
  transport: object,
  name: text,
};

/** The same of those that sign with a key, whose own form is looked at where it is used. */
export const keyedChecks: Checks<KeyOptions & WireOptions & { readonly baseUrl?: string | undefined }> = {
  ...wireChecks,
  apiKey: anything,
  credentials: list,
  baseUrl: text,
};

/** Checks `modelRules` of providers of OpenAI's dialects. */
export const openaiRules = rulesCheck();

/**
 * The options of a part as they were given, once they are found to be options. JavaScript lets a caller give none: the checks that
 * follow then say which one lacks, where a destructured `undefined` would only be a TypeError.
 */
export function checkedOptions<Options extends object>(
  options: Options | undefined,
  checks: Checks<Options>,
  subject: Subject<Options>,
): Options {
  const provided = options ?? ({} as Options); // TypeScript's callers cannot get here without any that are required
  checkOptions(provided, checks, subject);
  return provided;
}
