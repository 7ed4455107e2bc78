import { EmbeddingRequest, type EmbeddingResponse } from "../../api/embeddings.ts";
import { RerankRequest, type RerankResponse } from "../../api/rerank.ts";
import { boundEmbedding, boundRerank } from "../../metering/usage-bound.ts";
import { recordingAnswers } from "../accounting/sub-calls.ts";
import { requestParserOf } from "../call/parse.ts";
import { deliverWhole, discardWhole } from "../delivery/whole.ts";
import type { Verb } from "./verb.ts";

export { decide } from "./decide.ts";

export const embed: Verb<EmbeddingRequest, EmbeddingResponse, EmbeddingResponse> = {
  requestType: "embedding",
  method: "embed",
  parse: requestParserOf(EmbeddingRequest),
  ask: (provider, request, attempt) => provider.embed(request, recordingAnswers(attempt)),
  deliver: ({ call }, served) => deliverWhole(call, served),
  discard: discardWhole,
  bound: boundEmbedding,
};

export const rerank: Verb<RerankRequest, RerankResponse, RerankResponse> = {
  requestType: "rerank",
  method: "rerank",
  parse: requestParserOf(RerankRequest),
  ask: (provider, request, attempt) => provider.rerank(request, recordingAnswers(attempt)),
  deliver: ({ call }, served) => deliverWhole(call, served),
  discard: discardWhole,
  bound: boundRerank,
};
