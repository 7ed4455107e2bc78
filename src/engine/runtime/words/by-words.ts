/** Documents that are read before others get a turn. */
const atOnce = 100;

/** Words shorter than this are only found as they are: longer ones also where they begin a word (`city`, `cityscape`). */
const shortestStem = 4;

/**
 * The BM25+ scores of the texts by the words that they share with the query, in any language that Unicode can cut into words; 0 for a text
 * that shares none. Unbounded above: they compare texts of one list only.
 */
export async function scoreByWords(query: string, texts: readonly string[]): Promise<number[]> {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch<{ readonly id: number; readonly text: string }>({
    fields: ["text"],
    tokenize: wordsOf,
    processTerm: plainWord,
  });
  const documents = texts.map((text, id) => ({ id, text }));
  await index.addAllAsync(documents, { chunkSize: atOnce });
  const found = index.search(query, { prefix: (word) => word.length >= shortestStem });
  const scores = texts.map(() => 0);
  for (const { id, score } of found) scores[id as number] = score;
  return scores;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** The words of a text, without what stands between them. */
function wordsOf(text: string): string[] {
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : []));
}

/** A word without case and accents. */
function plainWord(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
