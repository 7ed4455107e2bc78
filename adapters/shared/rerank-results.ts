import type { RerankRequest, RerankResult } from "../../src/engine/api/rerank.ts";
import { GatewayError } from "../../src/engine/errors.ts";

/** A document's place in the caller's list, and how well it answers the query. */
export interface Rank {
  readonly index: number;
  readonly score: number;
}

/**
 * The ranks as every provider gives them: the best first, equals in the caller's order, as many as were asked for, with the caller's own
 * documents where those are wanted. Throws `upstream_invalid_response` for places that are not in the caller's list or come twice, for
 * scores that are no numbers, and where documents are left out.
 */
export function rankedResults(ranks: readonly Rank[], request: RerankRequest, provider: string): RerankResult[] {
  const { documents, top_n = documents.length, return_documents } = request;
  checkRanks(ranks, documents.length, provider);
  const most = Math.min(top_n, documents.length);
  if (ranks.length < most) throw invalidRanks(provider, `ranks ${ranks.length} of ${most} documents`);
  return [...ranks]
    .sort((one, other) => other.score - one.score || one.index - other.index)
    .slice(0, most)
    .map(({ index, score }) => {
      const document = return_documents === true ? documents[index] : undefined;
      return { index, relevance_score: score, ...(document === undefined ? {} : { document }) };
    });
}

function checkRanks(ranks: readonly Rank[], count: number, provider: string): void {
  const seen = new Set<number>();
  for (const { index, score } of ranks) {
    if (!Number.isInteger(index) || index < 0 || index >= count)
      throw invalidRanks(provider, "ranks no known document");
    if (seen.has(index)) throw invalidRanks(provider, `ranks document ${index} twice`);
    if (!Number.isFinite(score)) throw invalidRanks(provider, `has no score for document ${index}`);
    seen.add(index);
  }
}

function invalidRanks(provider: string, problem: string): GatewayError {
  return new GatewayError("upstream_invalid_response", `The answer of ${provider} ${problem}.`, { provider });
}
