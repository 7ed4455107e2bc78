/**
 * The rule by which the echo counts and streams: a token is up to 16 characters without white space, with the white space before them.
 * White space at the end is a token of its own. Short words are one token each, and text without spaces streams as well.
 */
const token = /\s*\S{1,16}|\s+/gu;

/** A text cut into its tokens; joined they are the text again. */
export function tokensOf(text: string): string[] {
  return text.match(token) ?? [];
}

/** How many tokens a text has. */
export function countTokens(text: string): number {
  return tokensOf(text).length;
}

/** A text that was ended as a model's would be. */
export interface Cut {
  readonly tokens: readonly string[];
  readonly finishReason: "stop" | "length";
}

/** Ends a text after `limit` tokens (`length`) or before the first stop sequence within them (`stop`), whichever comes first. */
export function cutText(text: string, limit: number | undefined, stops: readonly string[]): Cut {
  const all = tokensOf(text);
  const raw = limit === undefined ? all : all.slice(0, limit);
  const stored = raw.join("");
  const ends = stops.map((stop) => stored.indexOf(stop)).filter((position) => position !== -1);
  if (ends.length > 0) return { tokens: tokensOf(stored.slice(0, Math.min(...ends))), finishReason: "stop" };
  return { tokens: raw, finishReason: raw.length < all.length ? "length" : "stop" };
}
