/** What is left to read of a pattern, and how much may still be written. */
interface PatternReading {
  readonly source: string;
  at: number;
  budget: number;
}

/** Thrown for what this reader does not know: look-around, back references, classes by property. */
class UnknownSyntax extends Error {}

/** Longest pattern that is read, and longest text that is written for one. */
const longest = 1_000;

/**
 * A shortest text of a regular expression, by reading the expression; `undefined` where it uses what this reader does not know. The
 * expression comes from a request, so it is never run: some take longer than the universe has.
 */
export function sampleOfPattern(source: string): string | undefined {
  if (source.length > longest) return undefined;
  const reading: PatternReading = { source, at: 0, budget: longest };
  try {
    const text = readAlternatives(reading);
    return reading.at === source.length ? text : undefined;
  } catch (thrown) {
    if (thrown instanceof UnknownSyntax) return undefined;
    throw thrown;
  }
}

/** `a|b|c`: the first one that is not empty, since an empty one says little. */
function readAlternatives(reading: PatternReading): string {
  const texts = [readSequence(reading)];
  while (peek(reading) === "|") {
    reading.at++;
    texts.push(readSequence(reading));
  }
  return texts.find((text) => text !== "") ?? "";
}

function readSequence(reading: PatternReading): string {
  let text = "";
  for (let next = peek(reading); next !== undefined && next !== "|" && next !== ")"; next = peek(reading)) {
    const atom = readAtom(reading);
    text += spend(reading, atom, readMinimum(reading));
  }
  return text;
}

function spend(reading: PatternReading, atom: string, times: number): string {
  reading.budget -= Math.max(1, atom.length * times);
  if (reading.budget < 0) throw new UnknownSyntax();
  return atom.repeat(times);
}

function readAtom(reading: PatternReading): string {
  const next = take(reading);
  if (next === "^" || next === "$") return "";
  if (next === ".") return "a";
  if (next === "[") return readClass(reading);
  if (next === "(") return readGroup(reading);
  if (next === "\\") return readEscape(reading);
  if ("*+?{".includes(next)) throw new UnknownSyntax();
  return next;
}

function readGroup(reading: PatternReading): string {
  const opening = /^\?(?::|<[A-Za-z_$][\w$]*>)/.exec(reading.source.slice(reading.at, reading.at + 100));
  if (opening !== null) reading.at += opening[0].length;
  else if (peek(reading) === "?") throw new UnknownSyntax();
  const text = readAlternatives(reading);
  if (take(reading) !== ")") throw new UnknownSyntax();
  return text;
}

/** The least number of times that the atom before stands: 1 without a quantifier. */
function readMinimum(reading: PatternReading): number {
  const quantifier = /^(?:[*+?]|\{(\d{1,4})(?:,\d{0,9})?\})\??/.exec(reading.source.slice(reading.at, reading.at + 20));
  if (quantifier === null) return 1;
  reading.at += quantifier[0].length;
  if (quantifier[1] !== undefined) return Number(quantifier[1]);
  return quantifier[0].startsWith("+") ? 1 : 0;
}

/** Characters that stand for a class, in the order in which they are tried. */
const symbols = "aA0 _-.,:;!?@#$%&*()[]{}<>/\\|+=~^'\"`bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ123456789\t\n";
const shorthand: Readonly<Record<string, (one: string) => boolean>> = {
  d: (one) => /\d/.test(one),
  D: (one) => /\D/.test(one),
  w: (one) => /\w/.test(one),
  W: (one) => /\W/.test(one),
  s: (one) => /\s/.test(one),
  S: (one) => /\S/.test(one),
};
const controls: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", 0: "\0" };

function readEscape(reading: PatternReading): string {
  const next = peek(reading);
  if (next === "b") {
    reading.at++;
    return "";
  }
  const known = next === undefined ? undefined : shorthand[next];
  if (known === undefined) return readEscapedCharacter(reading);
  reading.at++;
  return pick(known);
}

function readEscapedCharacter(reading: PatternReading): string {
  const next = take(reading);
  const code = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(next + reading.source.slice(reading.at, reading.at + 4));
  if (code !== null) {
    reading.at += code[0].length - 1;
    return String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? "", 16));
  }
  const control = controls[next];
  if (control !== undefined) return control;
  if (/[A-Za-z0-9]/.test(next)) throw new UnknownSyntax();
  return next;
}

type Member = (one: string) => boolean;

function readClass(reading: PatternReading): string {
  const isNegated = peek(reading) === "^";
  if (isNegated) reading.at++;
  const members: Member[] = [];
  const firsts: string[] = [];
  while (peek(reading) !== "]") {
    const member = readMember(reading);
    members.push(member.holds);
    firsts.push(member.first);
  }
  reading.at++;
  if (!isNegated && firsts[0] !== undefined) return firsts[0];
  return pick((one) => members.some((holds) => holds(one)) !== isNegated);
}

function readMember(reading: PatternReading): { readonly holds: Member; readonly first: string } {
  const next = take(reading);
  const known = next === "\\" ? shorthand[peek(reading) ?? ""] : undefined;
  if (known !== undefined) {
    reading.at++;
    return { holds: known, first: pick(known) };
  }
  const first = next === "\\" ? readEscapedCharacter(reading) : next;
  if (peek(reading) !== "-" || reading.source[reading.at + 1] === "]") return { holds: (one) => one === first, first };
  reading.at++;
  const end = take(reading);
  const last = end === "\\" ? readEscapedCharacter(reading) : end;
  return { holds: (one) => one >= first && one <= last, first };
}

function pick(holds: Member): string {
  const found = [...symbols].find(holds);
  if (found === undefined) throw new UnknownSyntax();
  return found;
}

function peek({ source, at }: PatternReading): string | undefined {
  return source[at];
}

function take(reading: PatternReading): string {
  const next = reading.source[reading.at++];
  if (next === undefined) throw new UnknownSyntax();
  return next;
}
