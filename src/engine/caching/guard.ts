/**
 * What similar texts must have in common, since embeddings hardly see it: "10 miles" and "20 miles", "is" and "is not" are neighbours of
 * more than 0.95. Every number and every negation counts, in order and with the word behind it, so that "10 miles to km" is not
 * "10 km to miles" either. Two texts with different signatures never match; a match lost only costs a question.
 */
export function guardSignature(text: string): string {
  const words = wordsIn(text);
  const marks: string[] = [];
  for (const [position, word] of words.entries()) {
    const mark = markOf(word);
    if (mark !== undefined) marks.push(`${mark} ${words[position + 1] ?? ""}`);
  }
  return marks.join("\n");
}

/** Letters with their marks, digits with the signs that belong to a number, lower case; percent and currency signs are words. */
const word = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[-−+]?\p{N}+(?:[.,:/]\p{N}+)*|[%‰€$£¥°]/gu;

/** The words of a text, in lower case; numbers with their signs. */
export function wordsIn(text: string): readonly string[] {
  const provided = text.normalize("NFKC").toLowerCase().replaceAll("’", "'");
  return (provided.match(word) ?? []).flatMap(splitScript);
}

/** Scripts without spaces: each character that negates stands alone, as do those around it. */
function splitScript(word: string): readonly string[] {
  return /[不没沒無无非未別别勿]/u.test(word) ? [...word] : [word];
}

/** What a word means to the guard; `undefined` when it is neither a number nor a negation. */
function markOf(word: string): string | undefined {
  if (/\p{N}/u.test(word)) return word.replaceAll("−", "-").replace(/^\+/, "");
  if (numerals.has(word)) return word;
  return negations.has(word) || /n't$/.test(word) || /(?:ない|ません|ぬ|않|못|아니)/u.test(word) ? "not" : undefined;
}

/** Numbers as words, of the languages that models are mostly asked in. */
const numerals: ReadonlySet<string> = new Set(
  [
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion dozen half third quarter twice",
    "first second fourth fifth sixth seventh eighth ninth tenth once thrice double triple",
    "null ein eins eine einen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend million",
    "zéro un une deux trois quatre cinq sept huit neuf dix onze douze vingt trente cent mille",
    "cero uno una dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cien mil",
    "due tre quattro cinque sei sette otto nove dieci um dois duas quatro oito dez een twee drie vijf zes zeven",
    "один одна два две три четыре пять шесть семь восемь девять десять сто тысяча",
  ].flatMap((line) => line.split(" ")),
);

/** Words that turn a sentence around; forms with `n't` are recognised by their end. */
const negations: ReadonlySet<string> = new Set(
  [
    "no not non never none nobody nothing nowhere neither nor without cannot cant dont doesnt didnt isnt arent wasnt wont",
    "wouldnt shouldnt couldnt hasnt havent except unless hardly barely lacks lacking false unable instead",
    "nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder noch außer nein",
    "ne pas jamais rien aucun aucune sans ni personne sauf",
    "nunca jamás nada nadie ningún ninguna ninguno sin tampoco excepto",
    "mai niente nessuno nessuna senza né não nem nenhum nenhuma sem niet geen nooit zonder",
    "не нет ни никогда ничего без нельзя nie bez nicht inte utan ingen ikke uden ei",
    "不 没 沒 無 无 非 未 別 别 勿",
  ].flatMap((line) => line.split(" ")),
);

/** A word without its possessive and the end of its plural. */
export function stemOf(word: string): string {
  const plain = word.replace(/'s$/, "");
  return plain.length > 3 && /[^s]s$/.test(plain) ? plain.slice(0, -1) : plain;
}
