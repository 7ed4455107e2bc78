/** What the thread of the sentence model is asked. */
export type SentenceRequest =
  | { readonly kind: "embed"; readonly id: number; readonly texts: readonly string[] }
  /** Nobody waits for the vectors any more. */
  | { readonly kind: "cancel"; readonly id: number };

/** The vectors of texts in their order, and how many tokens each text has, of which the model reads the first ones only. */
export interface SentenceVectors {
  readonly vectors: readonly (readonly number[])[];
  readonly tokens: readonly number[];
}

/** What it answers: vectors, or why there are none. */
export type SentenceAnswer =
  | ({ readonly id: number } & SentenceVectors)
  | { readonly id: number; readonly problem: string };
