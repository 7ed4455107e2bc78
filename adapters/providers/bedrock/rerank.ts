import type { RerankRequest, RerankResponse } from "../../../src/engine/api/rerank.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { numberOf } from "../../shared/openai-compatible/rerank/from-wire.ts";
import { invalidAnswer } from "../../shared/openai-compatible/response/answer.ts";
import { type Rank, rankedResults } from "../../shared/rerank-results.ts";

/** Whom the question is put to. */
interface RerankInvoker {
  readonly provider: string;
  readonly region: string;
  ask(body: unknown, call: ProviderCall): Promise<unknown>;
}

const known = new Set(["model", "query", "documents", "fallbacks", "top_n", "return_documents", "max_tokens_per_doc"]);

/** More pages than any answer has: the end of one that never says that it ends. */
const mostPages = 100;

/** Ranks documents by the Rerank operation of Bedrock's agents, page after page. */
export async function rerankTexts(
  request: RerankRequest,
  call: ProviderCall,
  { provider, region, ask }: RerankInvoker,
): Promise<RerankResponse> {
  for (const [field, value] of Object.entries(request)) {
    if (value !== undefined && !known.has(field)) call.warn(`\`${field}\` is not supported by ${provider}`);
  }
  const body = writeQuestion(request, call.model, region);
  const ranks: Rank[] = [];
  let nextToken: unknown;
  for (let page = 0; page < mostPages; page++) {
    const answer = await ask({ ...body, nextToken }, call);
    if (!isRecord(answer) || !Array.isArray(answer.results)) throw invalidAnswer(provider, "has no ranks");
    ranks.push(...answer.results.map(readRank));
    nextToken = answer.nextToken;
    if (typeof nextToken !== "string" || nextToken === "") break;
  }
  return { id: call.id, model: call.model, results: rankedResults(ranks, request, provider) };
}

function writeQuestion(request: RerankRequest, model: string, region: string): Record<string, unknown> {
  const { query, documents, top_n = documents.length, max_tokens_per_doc } = request;
  const additional = max_tokens_per_doc === undefined ? {} : { additionalModelRequestFields: { max_tokens_per_doc } };
  return {
    queries: [{ type: "TEXT", textQuery: { text: query } }],
    sources: documents.map(({ text }) => ({
      type: "INLINE",
      inlineDocumentSource: { type: "TEXT", textDocument: { text } },
    })),
    rerankingConfiguration: {
      type: "BEDROCK_RERANKING_MODEL",
      bedrockRerankingConfiguration: {
        numberOfResults: Math.min(top_n, documents.length),
        modelConfiguration: { modelArn: arnOf(model, region), ...additional },
      },
    },
  };
}

/** The operation takes no bare names. */
function arnOf(model: string, region: string): string {
  if (model.startsWith("arn:")) return model;
  const partition = region.startsWith("cn-") ? "aws-cn" : region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
  return `arn:${partition}:bedrock:${region}::foundation-model/${model}`;
}

function readRank(raw: unknown): Rank {
  const { index, relevanceScore } = isRecord(raw) ? raw : {};
  return { index: numberOf(index), score: numberOf(relevanceScore) };
}
