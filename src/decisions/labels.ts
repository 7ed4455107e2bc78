import type { Question } from "./inquiry.ts";

/** Options that can be told apart by their first token: vendors list at most twenty alternatives. */
export const mostByToken = 20;

const letters = "ABCDEFGHIJKLMNOPQRST";

/** A short name for every option, in their order: one letter each, or numbers when there are too many. */
export function labelsOf({ options }: Question): readonly string[] {
  if (options.length <= mostByToken) return [...letters].slice(0, options.length);
  return options.map((_, position) => `option_${position + 1}`);
}
