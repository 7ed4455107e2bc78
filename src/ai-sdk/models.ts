import type {
  EmbeddingModelV4,
  Experimental_DecisionModelV4,
  LanguageModelV4,
  ProviderV4,
  RerankingModelV4,
} from "@ai-sdk/provider";
import type { CallOptions, CoreEngine } from "../engine/engine.ts";
import { GatewayError } from "../engine/errors.ts";
import { toMetadata, toSdkContent, toSdkWarnings } from "./answer.ts";
import { decisionModel } from "./decision.ts";
import { refuse } from "./failure.ts";
import { toParts, toStream } from "./parts.ts";
import { toChatRequest } from "./request.ts";
import { toSdkFinish, toSdkUsage } from "./usage.ts";

/** The verbs that the models are made of. */
export type Verbs = Pick<CoreEngine, "chat" | "streamChat" | "embed" | "rerank" | "decide">;

/** What every call is made with, e.g. a virtual key. */
export type ModelOptions = Pick<CallOptions, "key" | "session" | "timeouts" | "recovery" | "hedge">;

/** An engine as a provider of the AI SDK; called, it gives a language model. */
export interface Models extends ProviderV4 {
  (model: string): LanguageModelV4;
  rerankingModel(model: string): RerankingModelV4;
  decisionModel(model: string): Experimental_DecisionModelV4;
}

/**
 * The models of an engine for the AI SDK: `generateText({ model: models("openai/gpt-5"), … })`. Fields of ours go in
 * `providerOptions.tollgate`, e.g. `fallbacks`; who served and what it cost comes back in `providerMetadata.tollgate`.
 * Failures are `GatewayError`s. The engine retries by itself.
 */
export function tollgate(engine: Verbs, options: ModelOptions = {}): Models {
  if (typeof engine?.chat !== "function") throw refuse("engine", "an engine of `createEngine`");
  const language = (model: string) => languageModel(engine, model, options);
  return Object.assign(language, {
    specificationVersion: "v4" as const,
    languageModel: language,
    embeddingModel: (model: string) => embeddingModel(engine, model, options),
    rerankingModel: (model: string) => rerankingModel(engine, model, options),
    decisionModel: (model: string) => decisionModel(engine, model, options),
    imageModel(model: string): never {
      throw new GatewayError(
        "unsupported_operation",
        `This gateway makes no images, with ${model} or any other model.`,
      );
    },
  });
}

const common = { specificationVersion: "v4", provider: "tollgate" } as const;

/** Links go on as they are: each provider of the engine says for itself what it fetches. */
const anyLink = { "*/*": [/^https?:\/\//] };

function languageModel(engine: Verbs, modelId: string, own: ModelOptions): LanguageModelV4 {
  return {
    ...common,
    modelId,
    supportedUrls: anyLink,
    async doGenerate(options) {
      const { request, warnings } = toChatRequest(modelId, options);
      const answer = await engine.chat(request, { ...own, signal: options.abortSignal });
      const { id, model, created, choices, usage, extra_fields } = answer;
      const [choice] = choices;
      if (!choice) throw new GatewayError("upstream_invalid_response", `The answer of ${modelId} has no choices.`);
      return {
        content: toSdkContent(choice),
        finishReason: toSdkFinish(choice.finish_reason),
        usage: toSdkUsage(usage),
        warnings: [...warnings, ...toSdkWarnings(extra_fields)],
        providerMetadata: toMetadata(extra_fields, usage),
        request: { body: request },
        response: { id, modelId: model, timestamp: new Date(created * 1_000), body: answer },
      };
    },
    async doStream(options) {
      const { request, warnings } = toChatRequest(modelId, options);
      const requested = { ...request, stream_options: { ...request.stream_options, include_usage: true } };
      const chunks = await engine.streamChat(requested, { ...own, signal: options.abortSignal });
      return { stream: toStream(toParts(chunks, warnings)), request: { body: requested } };
    },
  };
}

function embeddingModel(engine: Verbs, modelId: string, own: ModelOptions): EmbeddingModelV4 {
  return {
    ...common,
    modelId,
    maxEmbeddingsPerCall: undefined, // the engine splits what is too long for a provider
    supportsParallelCalls: true,
    async doEmbed({ values, dimensions, abortSignal, providerOptions }) {
      const requested = dimensions === undefined ? {} : { dimensions };
      const request = { ...requested, ...providerOptions?.tollgate, model: modelId, input: values };
      const answer = await engine.embed({ ...request, encoding_format: "float" }, { ...own, signal: abortSignal });
      const inOrder = answer.data.toSorted((one, other) => one.index - other.index);
      return {
        embeddings: inOrder.map(({ embedding }) => embedding as number[]), // floats were asked for
        warnings: toSdkWarnings(answer.extra_fields),
        providerMetadata: toMetadata(answer.extra_fields, answer.usage),
        ...(answer.usage ? { usage: { tokens: answer.usage.prompt_tokens } } : {}),
        response: { body: answer },
      };
    },
  };
}

function rerankingModel(engine: Verbs, modelId: string, own: ModelOptions): RerankingModelV4 {
  return {
    ...common,
    modelId,
    async doRerank({ documents, query, topN, abortSignal, providerOptions }) {
      const { values } = documents;
      const texts = values.map((value) => ({ text: typeof value === "string" ? value : JSON.stringify(value) }));
      const limit = topN === undefined ? {} : { top_n: topN };
      const request = { ...limit, ...providerOptions?.tollgate, model: modelId, query, documents: texts };
      const { id, model, results, usage, extra_fields } = await engine.rerank(request, {
        ...own,
        signal: abortSignal,
      });
      return {
        ranking: results.map(({ index, relevance_score }) => ({ index, relevanceScore: relevance_score })),
        warnings: toSdkWarnings(extra_fields),
        providerMetadata: toMetadata(extra_fields, usage),
        response: { modelId: model, ...(id === undefined ? {} : { id }) },
      };
    },
  };
}
