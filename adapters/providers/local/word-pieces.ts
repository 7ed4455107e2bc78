/** Counts the tokens of texts as a WordPiece model of lower-case words splits them, its two marks included. */
export type CountPieces = (text: string) => number;

/** Characters of a word beyond which the model has one token for it. */
const longestWord = 100;
/** Beginning and end of every text. */
const marks = 2;

/** What is read of a `tokenizer.json`. */
interface TokenizerFile {
  readonly model: { readonly vocab: Readonly<Record<string, number>> };
}

/** The counter of a model's own tokenizer file. */
export function pieceCounter({ model }: TokenizerFile): CountPieces {
  const known = new Set(Object.keys(model.vocab));
  const counts = new Map<string, number>();
  return (text) => {
    let tokens = marks;
    for (const [word] of plain(text).matchAll(words)) {
      const count = counts.get(word) ?? countWord(word, known);
      if (counts.size < 50_000) counts.set(word, count);
      tokens += count;
    }
    return tokens;
  };
}

/** Words without spaces; punctuation, symbols and East Asian characters stand alone. */
const words = /[\p{Script=Han}\u3000-\u303f]|[!-/:-@[-`{-~\p{P}]|[^\s\p{Script=Han}\u3000-\u303f!-/:-@[-`{-~\p{P}]+/gu;

/** Lower case without accents and control characters, as models of lower-case words are trained. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}|\p{Cc}(?<![\t\n\r])/gu, "");
}

/** Pieces of a word, each the longest that the model knows; one for a word that has none. */
function countWord(word: string, known: ReadonlySet<string>): number {
  const characters = [...word];
  if (characters.length > longestWord) return 1;
  let pieces = 0;
  for (let start = 0; start < characters.length; ) {
    let end = characters.length;
    while (end > start && !known.has(pieceOf(characters, start, end))) end--;
    if (end === start) return 1;
    start = end;
    pieces++;
  }
  return pieces;
}

function pieceOf(characters: readonly string[], start: number, end: number): string {
  return (start === 0 ? "" : "##") + characters.slice(start, end).join("");
}
