/**
 * The rule by which the echo counts and streams: a token is up to 16 characters without white space, with the white space before them.
 * White space at the end is a token of its own. Short words are one token each, and text without spaces streams as well.
 */
const token = /\s*\S{1,16}|\s+/gu;

/** A text cut into its tokens; joined they are the text again. */
export function tokensOf(text: string): string[] {
  return text.match(token) ?? [];
}

/** Code points of one token that are not white space. */
const longest = 16;

/** How many tokens a text has: as many as `tokensOf` makes, without making them. */
export function countTokens(text: string): number {
  let count = 0;
  let room = 0; // what the present token may still take
  let isAfterSpace = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      room = 0;
      isAfterSpace = true;
      continue;
    }
    if (room === 0) {
      count += 1;
      room = longest;
    }
    room -= 1;
    isAfterSpace = false;
    if (isPair(code, text.charCodeAt(at + 1))) at += 1;
  }
  return isAfterSpace ? count + 1 : count;
}

/** White space as regular expressions see it. */
function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return /\s/u.test(String.fromCharCode(code));
}

/** True for the two halves of one code point; the second is NaN at the end of a text. */
function isPair(high: number, low: number): boolean {
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}

/** A text that was ended as a model's would be. */
export interface Cut {
  readonly text: string;
  /** How many tokens it has. */
  readonly count: number;
  readonly finishReason: "stop" | "length";
}

/** Ends a text after `limit` tokens (`length`) or before the first stop sequence within them (`stop`), whichever comes first. */
export function cutText(text: string, limit: number | undefined, stops: readonly string[]): Cut {
  const all = limit === undefined ? undefined : tokensOf(text);
  const isCut = all !== undefined && limit !== undefined && all.length > limit;
  const within = isCut ? all.slice(0, limit).join("") : text;
  const ends = stops.map((stop) => within.indexOf(stop)).filter((position) => position !== -1);
  const stored = ends.length > 0 ? within.slice(0, Math.min(...ends)) : within;
  const finishReason = isCut && ends.length === 0 ? "length" : "stop";
  return { text: stored, count: countTokens(stored), finishReason };
}
