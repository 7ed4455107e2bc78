import { EmbeddingRequest, type EmbeddingResponse } from "../api/embeddings.ts";
import { RerankRequest, type RerankResponse } from "../api/rerank.ts";
import { boundEmbedding, boundRerank } from "../usage/estimate.ts";
import { deliverWhole } from "./deliver.ts";
import { requestParserOf } from "./parse.ts";
import { notingAnswers } from "./parts.ts";
import type { Verb } from "./verb.ts";

export { decide } from "./decide.ts";

export const embed: Verb<EmbeddingRequest, EmbeddingResponse, EmbeddingResponse> = {
  requestType: "embedding",
  method: "embed",
  parse: requestParserOf(EmbeddingRequest),
  ask: (provider, request, attempt) => provider.embed(request, notingAnswers(attempt)),
  deliver: ({ call }, served) => deliverWhole(call, served),
  bound: boundEmbedding,
};

export const rerank: Verb<RerankRequest, RerankResponse, RerankResponse> = {
  requestType: "rerank",
  method: "rerank",
  parse: requestParserOf(RerankRequest),
  ask: (provider, request, attempt) => provider.rerank(request, notingAnswers(attempt)),
  deliver: ({ call }, served) => deliverWhole(call, served),
  bound: boundRerank,
};
