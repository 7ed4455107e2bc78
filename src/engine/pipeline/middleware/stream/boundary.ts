/** The place behind the last end of a sentence in a piece of text, or -1. `before` is the character in front of the piece. */
export function lastBoundary(piece: string, before: string): number {
  for (let at = piece.length - 1; at >= 0; at--) {
    const character = piece[at] as string;
    if (wideEnds.includes(character)) return at + 1;
    if (!isSpace(character)) continue;
    const previous = at > 0 ? (piece[at - 1] as string) : before;
    if (ends.includes(previous) || (character === "\n" && previous === "\n")) return at + 1;
  }
  return -1;
}

/** They end a sentence before white space. */
const ends = ".!?…";
/** They end one by themselves. */
const wideEnds = "。！？";

function isSpace(character: string): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}
