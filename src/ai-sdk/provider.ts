import type { EmbeddingModelV4, LanguageModelV4, RerankingModelV4 } from "@ai-sdk/provider";
import type { EmbeddingRequest, EmbeddingResponse } from "../engine/api/embeddings.ts";
import type { RerankRequest, RerankResponse } from "../engine/api/rerank.ts";
import { GatewayError } from "../engine/errors.ts";
import { defineProvider, type Provider, type ProviderCall } from "../engine/ports/provider.ts";
import { fromSdkError, refuse } from "./failure.ts";
import { fromParts, fromResult } from "./sdk-answer.ts";
import { toSdkOptions } from "./sdk-options.ts";

/** Where models of the AI SDK come from: any of its providers (specification v4), or functions of one's own. */
export interface SdkModels {
  languageModel?(model: string): LanguageModelV4;
  embeddingModel?(model: string): EmbeddingModelV4;
  rerankingModel?(model: string): RerankingModelV4;
}

/** Names the model as the AI SDK's provider knows it; `name` is the part before `/` in model names. */
export function fromAiSdk(name: string, models: SdkModels): Provider {
  if (!models) throw refuse("models", "a provider of the AI SDK, or functions that give its models");
  const language = (call: ProviderCall) => checked(models.languageModel?.(call.model), name);
  return defineProvider({
    name,
    ...(models.languageModel && {
      async chat(request, call) {
        const model = language(call);
        const options = toSdkOptions(request, call, name);
        const result = await entries(name, call, () => model.doGenerate(options));
        if (call.raw) Object.assign(call.raw, { request: result.request?.body, response: result.response?.body });
        return fromResult(result, call);
      },
      async *streamChat(request, call) {
        const model = language(call);
        const options = toSdkOptions(request, call, name);
        const { stream } = await entries(name, call, () => model.doStream(options));
        try {
          yield* fromParts(stream, call);
        } catch (thrown) {
          throw fromSdkError(thrown, name, call.signal);
        }
      },
    }),
    ...(models.embeddingModel && { embed: (request, call) => embed(name, models, { request, call }) }),
    ...(models.rerankingModel && { rerank: (request, call) => rerank(name, models, { request, call }) }),
  } satisfies Provider);
}

interface SdkCall<Request> {
  readonly request: Request;
  readonly call: ProviderCall;
}

async function embed(name: string, models: SdkModels, { request, call }: SdkCall<EmbeddingRequest>) {
  const model = checked(models.embeddingModel?.(call.model), name);
  const values = [request.input].flat();
  if (!values.every((value) => typeof value === "string")) {
    const message = `\`input\`: ${name} takes texts, no tokens.`;
    throw new GatewayError("unsupported_operation", message, { param: "input", provider: name });
  }
  const { dimensions } = request;
  const size = dimensions === undefined ? {} : { dimensions };
  const most = (await model.maxEmbeddingsPerCall) ?? Number.POSITIVE_INFINITY;
  const vectors: number[][] = [];
  let tokens: number | undefined;
  for (let start = 0; start < values.length; start += most) {
    const part = values.slice(start, start + most);
    const { embeddings, usage } = await entries(name, call, () =>
      model.doEmbed({ values: part, ...size, abortSignal: call.signal }),
    );
    vectors.push(...embeddings);
    if (usage) tokens = (tokens ?? 0) + usage.tokens;
  }
  return toVectors(vectors, { model: call.model, isBase64: request.encoding_format === "base64", tokens });
}

interface EmbeddingState {
  readonly model: string;
  readonly isBase64: boolean;
  readonly tokens: number | undefined;
}

function toVectors(vectors: readonly number[][], { model, isBase64, tokens }: EmbeddingState): EmbeddingResponse {
  const data = vectors.map((vector, index) => {
    const embedding = isBase64 ? Buffer.from(Float32Array.from(vector).buffer).toString("base64") : vector;
    return { index, object: "embedding", embedding };
  });
  const usage =
    tokens === undefined ? {} : { usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens } };
  return { object: "list", model, data, ...usage };
}

async function rerank(
  name: string,
  models: SdkModels,
  { request, call }: SdkCall<RerankRequest>,
): Promise<RerankResponse> {
  const model = checked(models.rerankingModel?.(call.model), name);
  const { query, documents, top_n, return_documents } = request;
  const values = documents.map(({ text }) => text);
  const limit = top_n === undefined ? {} : { topN: top_n };
  const { ranking } = await entries(name, call, () =>
    model.doRerank({ documents: { type: "text", values }, query, ...limit, abortSignal: call.signal }),
  );
  const results = ranking.map(({ index, relevanceScore }) => {
    const document = return_documents && documents[index] ? { document: documents[index] } : {};
    return { index, relevance_score: relevanceScore, ...document };
  });
  return { model: call.model, results };
}

/** The model, if it is of the specification that is spoken here. */
function checked<Model extends { readonly specificationVersion: string }>(
  model: Model | undefined,
  name: string,
): Model {
  if (model?.specificationVersion === "v4") return model;
  const found = model?.specificationVersion ?? "none";
  const message = `The models of \`${name}\` must be of the AI SDK's specification v4; this one's is ${found}.`;
  throw new GatewayError("invalid_configuration", message, { provider: name });
}

async function entries<Result>(
  name: string,
  { signal }: ProviderCall,
  ask: () => PromiseLike<Result>,
): Promise<Result> {
  try {
    return await ask();
  } catch (thrown) {
    throw fromSdkError(thrown, name, signal);
  }
}
