import type { Middleware, MiddlewareContext } from "../../src/engine/ports/middleware/middleware.ts";
import { phraseFinder } from "../shared/guards/phrases.ts";
import { mapRequest } from "../shared/guards/texts.ts";
import { type Checks, checkedOptions, flag, oneOf, text } from "../shared/options.ts";

/** The options of the guard. */
export interface WordsOptions {
  /** As errors and events name it; `words` unless rest. */
  readonly name?: string | undefined;
  /** Words and phrases: whole words, in any case; between the words of a phrase any white space. */
  readonly words: readonly string[];
  /** What becomes of a text that holds one: `block` (unless given) refuses it, `mask` puts `mask` in its place. */
  readonly action?: "block" | "mask" | undefined;
  /** `***` unless rest. */
  readonly mask?: string | undefined;
  /** Whether requests are read; true unless rest. */
  readonly requests?: boolean | undefined;
  /** Whether answers are read; true unless rest. */
  readonly answers?: boolean | undefined;
}

const mostWords = 100_000;

const checks: Checks<WordsOptions> = {
  name: text,
  words: [
    (value) => Array.isArray(value) && value.length <= mostWords && value.every((word) => /[\p{L}\p{N}]/u.test(word)),
    `a list of at most ${mostWords} words with letters or digits`,
  ],
  action: oneOf("block", "mask"),
  mask: text,
  requests: flag,
  answers: flag,
};

/** Refuses or masks words of a list. The work is linear in the text, however long the list is. Throws `invalid_configuration`. */
export function words(options: WordsOptions): Middleware {
  const { name = "words", mask = "***", ...rest } = checkedOptions(options, checks, { of: "words", needs: ["words"] });
  const { action = "block", requests = true, answers = true } = rest;
  const { find, crossesSentences } = phraseFinder(rest.words);
  const read = (original: string, context: MiddlewareContext): string => {
    const found = find(original);
    if (found.length === 0) return original;
    if (action === "block") context.block("words", "The content holds a word that is not allowed.");
    let end = 0;
    const parts = found.map((place) => {
      const before = original.slice(end, place.start);
      end = place.end;
      return before + mask;
    });
    return parts.join("") + original.slice(end);
  };
  return {
    name,
    ...(requests && {
      request(request, context) {
        const masked = mapRequest(context.verb, request, (one) => read(one, context));
        return masked === request ? undefined : masked;
      },
    }),
    ...(answers && { stream: { hold: crossesSentences ? "whole" : "sentence", text: read } }),
  };
}
