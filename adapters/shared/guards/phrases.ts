/** Where a phrase stands in a text. */
export interface PhrasePlace {
  readonly start: number;
  readonly end: number;
}

/** Finds phrases of a list. */
export interface PhraseFinder {
  /** The places of phrases in a text, in order, none over another. */
  readonly find: (text: string) => PhrasePlace[];
  /** A phrase goes on behind the end of a sentence. */
  readonly crossesSentences: boolean;
}

/** The words that may follow; `isEnd` where a phrase ends here. */
interface PhraseNode {
  readonly next: Map<string, PhraseNode>;
  isEnd: boolean;
}

/** A word: letters and digits with what cannot be seen between them; scripts without spaces word by character. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}_\p{Cf}])+/gu;
const unseen = /\p{Cf}/gu;
const sentenceEnd = /[.!?…]\s|[。！？]|\n\n/;
const mostBetween = 8;

interface WordToken extends PhrasePlace {
  readonly word: string;
}

function wordsOf(text: string): WordToken[] {
  return Array.from(text.matchAll(word), ({ 0: found, index }) => ({
    word: found.replaceAll(unseen, "").normalize("NFKC").toLowerCase(),
    start: index,
    end: index + found.length,
  })).filter((token) => token.word !== "");
}

/** Compiles a list: finding is linear in the text times the words of the longest phrase, whatever the length of the list. */
export function phraseFinder(phrases: readonly string[]): PhraseFinder {
  const root: PhraseNode = { next: new Map(), isEnd: false };
  for (const phrase of phrases) {
    let node = root;
    for (const token of wordsOf(phrase)) {
      const next = node.next.get(token.word) ?? { next: new Map(), isEnd: false };
      node.next.set(token.word, next);
      node = next;
    }
    if (node !== root) node.isEnd = true;
  }
  const crossesSentences = phrases.some((phrase) => sentenceEnd.test(phrase.trim()));
  const isBetween = (text: string) => text.length <= mostBetween && (crossesSentences || !sentenceEnd.test(text));
  return { crossesSentences, find: (text) => findAll(text, root, isBetween) };
}

function findAll(text: string, root: PhraseNode, isBetween: (between: string) => boolean): PhrasePlace[] {
  const tokens = wordsOf(text);
  const found: PhrasePlace[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const last = longestFrom(text, { tokens, at, root, isBetween });
    const [first, end] = [tokens[at], last === undefined ? undefined : tokens[last]];
    if (last === undefined || !first || !end) continue;
    found.push({ start: first.start, end: end.end });
    at = last;
  }
  return found;
}

interface PhraseSearch {
  readonly tokens: readonly WordToken[];
  readonly at: number;
  readonly root: PhraseNode;
  readonly isBetween: (between: string) => boolean;
}

/** The last word of the longest phrase that begins at a word. */
function longestFrom(text: string, { tokens, at, root, isBetween }: PhraseSearch): number | undefined {
  let longest: number | undefined;
  let node: PhraseNode | undefined = root;
  for (let position = at; position < tokens.length; position++) {
    const token = tokens[position];
    const before = tokens[position - 1];
    if (!token || (position > at && before && !isBetween(text.slice(before.end, token.start)))) break;
    node = node.next.get(token.word);
    if (!node) break;
    if (node.isEnd) longest = position;
  }
  return longest;
}
