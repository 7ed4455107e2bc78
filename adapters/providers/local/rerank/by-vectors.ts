import type { RerankRequest } from "../../../../src/engine/api/rerank.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { ProviderCall } from "../../../../src/engine/ports/provider.ts";
import type { LocalVectors } from "../vectors.ts";

/** Where texts become vectors, for the request whose texts they are. */
export interface VectorScoring {
  readonly provider: string;
  readonly call: ProviderCall;
  readonly vectors: LocalVectors;
  readonly truncate: RerankRequest["truncate"];
}

/** The cosine similarity of each text to the query, −1 to 1. Says which texts are longer than what the model reads, or refuses them. */
export async function scoreByVectors(
  query: string,
  texts: readonly string[],
  { provider, call, vectors, truncate }: VectorScoring,
): Promise<number[]> {
  const { vectors: all, tokens, maxTokens } = await vectors.vectorsOf([query, ...texts], call.signal);
  for (const [at, count] of tokens.entries()) {
    if (count <= maxTokens) continue;
    const param = at === 0 ? "query" : `documents.${at - 1}`;
    const problem = `has ${count} tokens, of which ${provider}/${call.model} reads the first ${maxTokens}`;
    if (truncate === "none") throw new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
    call.warn(`\`${param}\` is cut off: it ${problem}`);
  }
  const [asked = [], ...documents] = all;
  return documents.map((document) => cosine(asked, document));
}

function cosine(one: readonly number[], other: readonly number[]): number {
  let [product, length, otherLength] = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    const counterpart = other[at] ?? 0;
    product += value * counterpart;
    length += value * value;
    otherLength += counterpart * counterpart;
  }
  return product === 0 ? 0 : product / Math.sqrt(length * otherLength);
}
