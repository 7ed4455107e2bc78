import type { EmbeddingRequest } from "../api/embeddings.ts";
import { invalidRequest } from "./refusals.ts";

/** One thing to embed: a text, or a text as its tokens. */
export type EmbeddingInput = string | number[];

/** What is to be embedded, one entry for each vector; throws `invalid_request` when there is nothing. */
export function inputsOf({ input }: Pick<EmbeddingRequest, "input">): EmbeddingInput[] {
  if (typeof input === "string") return [input];
  if (input.length === 0) throw invalidRequest("input", "holds nothing to embed.");
  return typeof input[0] === "number" ? [input as number[]] : (input as EmbeddingInput[]);
}
