import {
  DecisionListRequest,
  DecisionMapRequest,
  type DecisionRequest,
  type DecisionResponse,
} from "../api/decisions.ts";
import { EmbeddingRequest, type EmbeddingResponse } from "../api/embeddings.ts";
import { RerankRequest, type RerankResponse } from "../api/rerank.ts";
import { boundDecision, boundEmbedding, boundRerank } from "../usage/estimate.ts";
import { parserOf } from "./parse.ts";
import { deliverWhole } from "./settle.ts";
import type { Verb } from "./verb.ts";

const parseMap = parserOf(DecisionMapRequest);
const parseList = parserOf(DecisionListRequest);
const isListForm = (input: unknown) =>
  typeof input === "object" && input !== null && "questions" in input && Array.isArray(input.questions);

export const embed: Verb<EmbeddingRequest, EmbeddingResponse, EmbeddingResponse> = {
  requestType: "embedding",
  method: "embed",
  parse: parserOf(EmbeddingRequest),
  ask: (provider, request, attempt) => provider.embed(request, attempt),
  deliver: ({ call }, served) => deliverWhole(call, served),
  bound: boundEmbedding,
};

export const rerank: Verb<RerankRequest, RerankResponse, RerankResponse> = {
  requestType: "rerank",
  method: "rerank",
  parse: parserOf(RerankRequest),
  ask: (provider, request, attempt) => provider.rerank(request, attempt),
  deliver: ({ call }, served) => deliverWhole(call, served),
  bound: boundRerank,
};

export const decide: Verb<DecisionRequest, DecisionResponse, DecisionResponse> = {
  requestType: "decision",
  method: "decide",
  parse: (input) => (isListForm(input) ? parseList(input) : parseMap(input)),
  ask: (provider, request, attempt) => provider.decide(request, attempt),
  deliver: ({ call }, served) => deliverWhole(call, served),
  bound: boundDecision,
};
