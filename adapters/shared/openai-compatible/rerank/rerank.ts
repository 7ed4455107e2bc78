import type { RerankRequest, RerankResponse } from "../../../../src/engine/api/rerank.ts";
import { sumUsages } from "../../../../src/engine/metering/counts.ts";
import type { ProviderCall } from "../../../../src/engine/ports/provider.ts";
import { askParts } from "../../concurrent.ts";
import type { HttpClient } from "../../http/client.ts";
import { rankedResults } from "../../rerank-results.ts";
import { type RerankDialect, rerankToWire } from "./dialect.ts";
import { readRerank } from "./from-wire.ts";

/** A vendor that ranks, with its deviations. */
export interface RerankVendor {
  readonly provider: string;
  readonly http: HttpClient;
  readonly dialect: RerankDialect;
}

/** Asks a vendor to rank documents, in as many requests as it takes: one question and one form of answer for all vendors. */
export async function rerankWith(
  { provider, http, dialect }: RerankVendor,
  request: RerankRequest,
  call: ProviderCall,
): Promise<RerankResponse> {
  const ask = async (part: RerankRequest, own: ProviderCall) => {
    const warn = (warning: string) => own.warn(warning);
    const body = rerankToWire(part, own.model, { provider, dialect, warn });
    const answer = readRerank(await http.post(dialect.path, body, own), part, { provider, http, call: own });
    own.answered?.({ request: part, usage: answer.usage });
    return answer;
  };
  const { documents } = request;
  const { mostDocuments = documents.length } = dialect;
  if (documents.length <= mostDocuments) return ask(request, call);
  const starts = Array.from({ length: Math.ceil(documents.length / mostDocuments) }, (_, at) => at * mostDocuments);
  const parts = starts.map((start) => ({ ...request, documents: documents.slice(start, start + mostDocuments) }));
  const answers = await askParts(parts, call, ask);
  return joinRanks(answers, starts, { request, provider });
}

/** The best of all parts: a document's score does not depend on the others. */
function joinRanks(
  answers: readonly RerankResponse[],
  starts: readonly number[],
  { request, provider }: { readonly request: RerankRequest; readonly provider: string },
): RerankResponse {
  const [first] = answers as [RerankResponse];
  const ranks = answers.flatMap(({ results }, at) =>
    results.map(({ index, relevance_score: score }) => ({ index: index + (starts[at] ?? 0), score })),
  );
  const { usage: _usage, ...envelope } = first;
  const usage = sumUsages(answers.map((answer) => answer.usage));
  const results = rankedResults(ranks, request, provider);
  return usage === undefined ? { ...envelope, results } : { ...envelope, results, usage };
}
