/** The names in braces that a text has and its translation lacks: what they stand for would not be shown. */
export function missingNames(original: string, translation: string): readonly string[] {
  const names = original.match(/\{\w+\}/g) ?? [];
  return [...new Set(names)].filter((name) => !translation.includes(name));
}
