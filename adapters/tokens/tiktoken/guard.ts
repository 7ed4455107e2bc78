import type { Encoder } from "./encodings.ts";

/**
 * Characters of a run that are encoded together. The encoder's time grows with the square of a run of letters, of spaces or of
 * anything else (64 thousand Chinese characters took 8.5 s); no word of a natural text is that long, so its count stays the same.
 */
const longestRun = 256;
const run = new RegExp(
  ["[\\p{L}\\p{M}]", "\\s", "[^\\p{L}\\p{M}\\s]"].map((kind) => `${kind}{${longestRun}}`).join("|"),
  "gu",
);

/** Characters up to which a text is counted; of a longer one as many are, and the count is scaled. */
const longestText = 1 << 18;
const samples = 16;

/** Counts the tokens of a text in time that is bounded by its length, and by a constant for texts that are very long. */
export function countGuarded(encode: Encoder, text: string): number {
  if (text.length <= longestRun) return encode(text);
  if (text.length > longestText) return countSamples(encode, text);
  return countRuns(encode, text);
}

function countRuns(encode: Encoder, text: string): number {
  let count = 0;
  let start = 0;
  for (const match of text.matchAll(run)) {
    const end = match.index + match[0].length;
    count += encode(text.slice(start, end));
    start = end;
  }
  return count + encode(start === 0 ? text : text.slice(start));
}

/** The count of evenly spaced pieces, scaled to the whole. */
function countSamples(encode: Encoder, text: string): number {
  const size = longestText / samples;
  const stride = (text.length - size) / (samples - 1);
  let count = 0;
  for (let piece = 0; piece < samples; piece += 1) {
    const start = Math.floor(piece * stride);
    count += countRuns(encode, text.slice(start, start + size));
  }
  return Math.ceil((count * text.length) / longestText);
}
