/** What the thread of the sentence model is asked. */
export type SentenceRequest =
  | { readonly kind: "embed"; readonly id: number; readonly texts: readonly string[] }
  /** Nobody waits for the vectors any more. */
  | { readonly kind: "cancel"; readonly id: number };

/** What it answers: vectors in the order of the texts, or why there are none. */
export type SentenceAnswer =
  | { readonly id: number; readonly vectors: readonly (readonly number[])[] }
  | { readonly id: number; readonly problem: string };
