import type { TypedQuestion } from "./question.ts";

/** Options that are distinguishable by their first token: vendors list at most twenty alternatives. */
export const mostByToken = 20;

const symbols = "ABCDEFGHIJKLMNOPQRST";

/** A short name for every option, in their order: one letter each, or numbers when there are too many. */
export function labelsOf({ options }: TypedQuestion): readonly string[] {
  if (options.length <= mostByToken) return [...symbols].slice(0, options.length);
  return options.map((_, position) => `option_${position + 1}`);
}
