import { guardSignature, stemOf, wordsIn } from "./guard.ts";
import { type Opposites, oppositesOf, turningPrefixes } from "./opposites.ts";

/** Why two texts are different questions, however near their vectors are. */
export type Difference = "numbers" | "order" | "opposites" | "names" | "code";

/** Finds the difference between two texts. */
export type FindDifference = (one: string, other: string) => Difference | undefined;

/** The comparison with the words of an owner next to the built-in ones. */
export function differenceFinder(own: readonly string[]): FindDifference {
  const opposites = oppositesOf(own);
  return (one, other) => findDifference(one, other, opposites);
}

/**
 * The first difference between two texts that vectors hardly see; `undefined` where there is none. Numbers and negations must be equal with
 * the word behind them, names, operators and code in their order; no word may have an opposite, another unit or another time for its
 * counterpart; and the same words in another order, or words that change their places around `to`, `from`, `than` and the like, say
 * something else. A match lost only costs a question. The work is linear in the texts.
 */
function findDifference(one: string, other: string, opposites: Opposites): Difference | undefined {
  if (guardSignature(one) !== guardSignature(other)) return "numbers";
  if (codeOf(one) !== codeOf(other)) return "code";
  const [first, second] = [stemsIn(one), stemsIn(other)];
  if (hasOpposites(first, second, opposites)) return "opposites";
  if (hasOtherNames([one, first], [other, second])) return "names";
  return hasOtherOrder(first, second) ? "order" : undefined;
}

/** The words of a text without possessives and the ends of plurals. */
function stemsIn(text: string): readonly string[] {
  return wordsIn(text).map(stemOf);
}

/** Operators, brackets and names as programs write them, in their order: prose has none. */
function codeOf(text: string): string {
  const operators =
    text.match(/[+*/%=<>!&|^~\\{}[\]();#@$]+|(?<=\s)-+(?=\s)|--+|->|::|\?[?.]| \? |(?<=\d):(?=\d)/g) ?? [];
  const names = text.match(/\b\w+(?:[_.]\w+)+\b|\b[a-z]+[A-Z]\w*\b|`[^`]*`/g) ?? [];
  const marks = operators.filter((mark) => !/^[()!/&$#]$/.test(mark) || text.includes("{"));
  return [...marks, "\n", ...names.map((name) => name.toLowerCase())].join(" ");
}

function hasOpposites(one: readonly string[], other: readonly string[], opposites: Opposites): boolean {
  const members = membersIn(other, opposites);
  for (const [group, own] of membersIn(one, opposites)) {
    const counterpart = members.get(group);
    if (counterpart !== undefined && counterpart !== own) return true;
  }
  return isTurned(new Set(one), new Set(other)) || isTurned(new Set(other), new Set(one));
}

/** The members that a text has of each group of which it has any. */
function membersIn(words: readonly string[], opposites: Opposites): ReadonlyMap<number, string> {
  const members = new Map<number, Set<number>>();
  for (const word of words)
    for (const [group, member] of opposites.get(word) ?? []) {
      const found = members.get(group) ?? new Set();
      members.set(group, found.add(member));
    }
  return new Map([...members].map(([group, found]) => [group, [...found].sort().join()]));
}

/** True where one text has a word that is another's with something in front that turns it around. */
function isTurned(plain: ReadonlySet<string>, turned: ReadonlySet<string>): boolean {
  for (const word of turned) {
    if (plain.has(word)) continue;
    const prefix = turningPrefixes.find((each) => word.startsWith(each) && plain.has(word.slice(each.length)));
    if (prefix !== undefined && word.length - prefix.length > 2) return true;
  }
  return false;
}

type ReadText = readonly [text: string, words: readonly string[]];

/** Names are words that a text writes large in the middle of a sentence; the other must have them, too, in the same order. */
function hasOtherNames(one: ReadText, other: ReadText): boolean {
  const names = new Set([...namesIn(one[0]), ...namesIn(other[0])]);
  if (names.size === 0) return false;
  const inOrder = ([, words]: ReadText) => words.filter((word) => names.has(word)).join(" ");
  return inOrder(one) !== inOrder(other);
}

function namesIn(text: string): readonly string[] {
  const found =
    text.match(/(?<=[\p{L}\p{N},;)"'’] )\p{Lu}[\p{L}\p{N}]*|\b\p{Lu}{2,}\b|\b\p{L}+\p{N}[\p{L}\p{N}]*\b/gu) ?? [];
  return found.map(plainName).filter((name) => name !== "i");
}

function plainName(name: string): string {
  return stemOf(name.normalize("NFKC").toLowerCase());
}

/** Words around which places matter: `euros to dollars`. */
const directing: ReadonlySet<string> = new Set(
  (
    "to from into onto than versus vs over under before after between by minus divided times through via of for with against toward towards " +
    "beats instead von nach zu aus als gegen vers de à que a hacia desde"
  ).split(" "),
);

/** Words that say little about what a question is of. */
const fillers: ReadonlySet<string> = new Set(
  (
    "a an the is are was were be been do does did can could would will shall please i you we me my your our it its this that there here " +
    "what which how so just of to in on at for and or me tell know want need like explain show give get s"
  ).split(" "),
);

/** The same words in another order; or shared words that change places in texts where places matter. */
function hasOtherOrder(one: readonly string[], other: readonly string[]): boolean {
  const sorted = (words: readonly string[]) => [...words].sort().join(" ");
  if (one.join(" ") === other.join(" ")) return false;
  if (sorted(one) === sorted(other)) return true;
  if (![one, other].some((words) => words.some((word) => directing.has(word)))) return false;
  const known = new Set(other);
  const shared = new Set(one.filter((word) => !fillers.has(word) && !directing.has(word) && known.has(word)));
  const inOrder = (words: readonly string[]) => words.filter((word) => shared.has(word)).join(" ");
  return inOrder(one) !== inOrder(other);
}
