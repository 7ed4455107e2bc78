/** What texts are embedded for, in the words of each vendor that has one. */
export interface InputTypes {
  readonly query: string;
  readonly document: string;
  readonly classification?: string;
  readonly clustering?: string;
}

/** Cohere's words, which other vendors host. */
export const cohereInputTypes = {
  query: "search_query",
  document: "search_document",
  classification: "classification",
  clustering: "clustering",
} as const satisfies InputTypes;

/** Gemini's and Vertex's words. */
export const geminiTaskTypes = {
  query: "RETRIEVAL_QUERY",
  document: "RETRIEVAL_DOCUMENT",
  classification: "CLASSIFICATION",
  clustering: "CLUSTERING",
} as const satisfies InputTypes;

/** What callers write, whichever vendor's word it is. */
const meanings: ReadonlyMap<string, keyof InputTypes> = new Map([
  ["query", "query"],
  ["search_query", "query"],
  ["document", "document"],
  ["passage", "document"],
  ["search_document", "document"],
  ["classification", "classification"],
  ["clustering", "clustering"],
]);

/**
 * The vendor's word for an `input_type`; one that is none of the known goes as it is, the vendor may know it. Nothing where none was
 * given, or where it means what the vendor has no word for.
 */
export function inputTypeIn(words: InputTypes, requested: unknown): string | undefined {
  if (typeof requested !== "string") return undefined;
  const meaning = meanings.get(requested);
  return meaning === undefined ? requested : words[meaning];
}
