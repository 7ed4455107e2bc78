/** The words that the interface knows for the tier that answered, and other vendors' words for the same. */
const words: ReadonlyMap<string, string> = new Map([
  ...["auto", "default", "flex", "scale", "priority"].map((word) => [word, word] as const),
  ...["standard", "standard_only", "on_demand"].map((word) => [word, "default"] as const),
]);

/**
 * Returns the tier that answered in OpenAI's words; undefined for one that OpenAI does not have, since typed clients refuse an answer with
 * any other word.
 */
export function writeServiceTier(tier: string | null | undefined): string | undefined {
  return words.get(tier?.toLowerCase() ?? "");
}
