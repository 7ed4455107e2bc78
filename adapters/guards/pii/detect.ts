import { isIPv4, isIPv6 } from "node:net";

const listed =
  "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 " +
  "GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 " +
  "MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 " +
  "TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30";

/** Characters of an account number by its country (SWIFT's IBAN registry). */
const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  listed.split(" ").map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** What is looked for. */
export const piiKinds = ["email", "iban", "card", "phone", "ip"] as const;
export type PiiKind = (typeof piiKinds)[number];

/** Something personal in a text. */
export interface PiiFinding {
  readonly kind: PiiKind;
  readonly start: number;
  readonly end: number;
}

type Detector = (text: string) => { readonly start: number; readonly end: number }[];

// Every pattern repeats a bounded number of times, so that the work is linear in the text; none matches across the end of a sentence,
// where streams are cut.
const email = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
const iban = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}/giu;
const digits = /\d(?:[ -]?\d){12,63}/g;
const phones = [
  /(?<![\p{L}\p{N}+])\+\d(?:(?:[ .-]|\) ?| ?\()?\d){7,14}(?!\d)/gu,
  /(?<![\p{L}\p{N}])\(\d{2,5}\) ?\d{3,4}[ .-]?\d{3,4}(?!\d)/gu,
  /(?<![\p{L}\p{N}.-])\d{3}[-.]\d{3}[-.]\d{4}(?![\d.-]\d|\d)/gu,
  /(?<![\p{L}\p{N}.-])0\d{1,4}[ /-]\d{3,5}(?:[ -]?\d{2,5}){1,2}(?!\d)/gu,
];
const ipv4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/g;
const ipv6 =
  /(?<![\p{L}\p{N}:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:(?<=:)\d{1,3}(?:\.\d{1,3}){3})?(?![\p{L}\p{N}:])/giu;

const detectors: Readonly<Record<PiiKind, Detector>> = {
  email: (text) => matches(text, email),
  iban: (text) => matches(text, iban).flatMap(({ start, end }) => ibanIn(text, start, end)),
  card: (text) => matches(text, digits).flatMap(({ start, end }) => cardsIn(text, start, end)),
  phone: (text) => phones.flatMap((pattern) => matches(text, pattern)),
  ip: (text) => [
    ...matches(text, ipv4).filter(({ start, end }) => isIPv4(text.slice(start, end))),
    ...matches(text, ipv6).filter(({ start, end }) => end - start > 2 && isIPv6(text.slice(start, end))),
  ],
};

function matches(text: string, pattern: RegExp): { start: number; end: number }[] {
  return Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({ start: index, end: index + found.length }));
}

/** What of the kinds is in a text, in order, none over another: what is longer, and then what is more certain, counts. */
export function detect(text: string, kinds: readonly PiiKind[]): PiiFinding[] {
  const found = kinds.flatMap((kind) => detectors[kind](text).map((place): PiiFinding => ({ kind, ...place })));
  found.sort((a, b) => a.start - b.start || b.end - a.end || piiKinds.indexOf(a.kind) - piiKinds.indexOf(b.kind));
  const findings: PiiFinding[] = [];
  for (const finding of found) {
    const last = findings.at(-1);
    if (last === undefined || finding.start >= last.end) findings.push(finding);
    else if (finding.end > last.end) findings[findings.length - 1] = { ...last, end: finding.end };
  }
  return findings;
}

/** The account number at the beginning of a stretch of letters and digits, if its check digits are right. */
function ibanIn(text: string, start: number, end: number): { start: number; end: number }[] {
  const length = ibanLengths[text.slice(start, start + 2).toUpperCase()];
  if (length === undefined) return [];
  let last = start;
  let compact = "";
  for (; last < end && compact.length < length; last++) if (text[last] !== " ") compact += text[last];
  if (compact.length < length || /[\p{L}\p{N}]/u.test(text.slice(last, last + 1))) return [];
  return isIban(compact.toUpperCase()) ? [{ start, end: last }] : [];
}

function isIban(compact: string): boolean {
  let rest = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4))
    rest = Number(`${rest}${Number.parseInt(character, 36)}`) % 97;
  return rest === 1;
}

/** Card numbers in a run of digits: the whole of it, or some of its groups. */
function cardsIn(text: string, start: number, end: number): { start: number; end: number }[] {
  const isPartOfLonger = /\d/.test(text[start - 1] ?? "") || /\d/.test(text[end] ?? "");
  const groups = matches(text.slice(start, end), /\d+/g).map((group) => ({
    start: start + group.start,
    end: start + group.end,
  }));
  const found: { start: number; end: number }[] = [];
  for (let from = 0; from < groups.length; from++) {
    for (let to = groups.length - 1; to >= from; to--) {
      const [first, last] = [groups[from], groups[to]];
      if (!first || !last || last.end - first.start > 40) continue;
      if (isPartOfLonger && (from === 0 || to === groups.length - 1)) continue;
      if (!isCard(text.slice(first.start, last.end).replaceAll(/[ -]/g, ""))) continue;
      found.push({ start: first.start, end: last.end });
      from = to;
      break;
    }
  }
  return found;
}

/** 13 to 19 digits that begin as cards do, with Luhn's check digit. */
function isCard(number: string): boolean {
  if (number.length < 13 || number.length > 19 || !/^[2-6]/.test(number)) return false;
  let sum = 0;
  for (let at = 0; at < number.length; at++) {
    const digit = Number(number[number.length - 1 - at]) * (at % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
