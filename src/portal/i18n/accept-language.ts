/** The most languages that are read of a header. */
const mostRanges = 20;

/**
 * Returns the first of the known languages that a client accepts, by `Accept-Language` (RFC 9110, 12.5.4): the highest weight wins, of equal
 * weights the one that is named first. `de-CH` accepts `de`; `*` names no language. Undefined where none is accepted.
 */
export function chooseLanguage(header: string, known: ReadonlySet<string>): string | undefined {
  const ranges = header
    .split(",", mostRanges)
    .map(readRange)
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  for (const { language } of ranges) {
    if (known.has(language)) return language;
    const [primary = ""] = language.split("-");
    if (known.has(primary)) return primary;
  }
  return undefined;
}

function readRange(part: string): { readonly language: string; readonly weight: number } {
  const [language = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
  const weight = parameters.find((each) => each.startsWith("q="));
  const read = weight === undefined ? 1 : Number(weight.slice(2));
  return { language, weight: read >= 0 && read <= 1 ? read : 0 };
}
