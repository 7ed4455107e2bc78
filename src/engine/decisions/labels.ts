import type { AnswerOption, TypedQuestion } from "./question.ts";

/** Options that are distinguishable by their first token: vendors list at most twenty alternatives. */
export const mostByToken = 20;

const symbols = "ABCDEFGHIJKLMNOPQRST";

/** What options are called in a prompt: by a letter each, or by their own words. */
export type LabelStyle = "letters" | "words";

/** A short name for every option, in their order: one letter each, or numbers when there are too many. */
export function labelsOf({ options }: Pick<TypedQuestion, "options">): readonly string[] {
  if (options.length <= mostByToken) return [...symbols].slice(0, options.length);
  return options.map((_, position) => `option_${position + 1}`);
}

/** An option by its own words: a level by its label, a yes or no as such. */
export function nameOf({ value, label }: AnswerOption): string {
  return label ?? (typeof value === "boolean" ? (value ? "yes" : "no") : String(value));
}

/** Finds the label that a token stands for or begins; -1 where it is of none, or might be of several. */
export function labelMatcher(labels: readonly string[], style: LabelStyle): (token: string) => number {
  if (style === "letters") return (token) => labels.indexOf(plain(token));
  const words = labels.map((label) => label.trim().toLowerCase());
  return (token) => {
    const begun = plain(token).toLowerCase();
    if (begun === "") return -1;
    const exact = words.indexOf(begun);
    const fitting = words.flatMap((word, at) => (word.startsWith(begun) ? [at] : []));
    return fitting.length === 1 ? (fitting[0] as number) : fitting.every((at) => at === exact) ? exact : -1;
  };
}

/** A token without the space that vocabularies write in front of words: as it is, or as one of the marks for it. */
function plain(token: string): string {
  return token.replace(/^[\s\u2581\u0120]+|\s+$/g, "");
}
