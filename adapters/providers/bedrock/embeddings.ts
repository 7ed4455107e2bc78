import type { EmbeddingRequest, EmbeddingResponse } from "../../../src/engine/api/embeddings.ts";
import { isInvalidCount } from "../../../src/engine/dialects/counts.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { embedAll } from "../../shared/embeddings/embed.ts";
import { cohereInputTypes, inputTypeIn } from "../../shared/embeddings/input-types.ts";
import { textsOf } from "../../shared/embeddings/inputs.ts";
import { invalidAnswer } from "../../shared/openai-compatible/response/answer.ts";

/** How the models of one maker embed; each maker has a request form of its own. */
interface EmbeddingMaker {
  /** Part of the names of its models. */
  readonly models: RegExp;
  /** Texts of one request. */
  readonly inputs: number;
  /** Our fields that it supports in addition to the input. */
  readonly fields: readonly string[];
  write(texts: readonly string[], request: EmbeddingRequest): Record<string, unknown>;
  /** The vectors in order, and the number of input tokens where it is stated. */
  read(answer: Record<string, unknown>): { readonly vectors: unknown; readonly tokens?: unknown };
}

const makers: readonly EmbeddingMaker[] = [
  {
    models: /amazon\.titan-embed-text/,
    inputs: 1,
    fields: ["dimensions", "normalize"],
    write: ([inputText], { dimensions, normalize }) => ({ inputText, dimensions, normalize }),
    read: ({ embedding, inputTextTokenCount }) => ({ vectors: [embedding], tokens: inputTextTokenCount }),
  },
  {
    models: /cohere\.embed-/,
    inputs: 96,
    fields: ["dimensions", "input_type", "truncate"],
    write: (texts, { dimensions, input_type: requested, truncate }) => ({
      texts,
      input_type: inputTypeIn(cohereInputTypes, requested) ?? cohereInputTypes.document,
      truncate: truncate?.toUpperCase(),
      embedding_types: ["float"],
      output_dimension: dimensions,
    }),
    read: ({ embeddings }) => ({ vectors: isRecord(embeddings) ? embeddings.float : embeddings }),
  },
];

const own = new Set(["model", "input", "fallbacks", "encoding_format"]);

/** Whom the questions are put to. */
interface EmbeddingInvoker {
  readonly provider: string;
  /** Asks a model, in its own form. */
  invoke(body: unknown, call: ProviderCall): Promise<unknown>;
}

/** The vectors of a request, however many texts it has; throws `unsupported_operation` for models whose form is not known. */
export async function embedTexts(
  request: EmbeddingRequest,
  call: ProviderCall,
  { provider, invoke }: EmbeddingInvoker,
): Promise<EmbeddingResponse> {
  const maker = makers.find(({ models }) => models.test(call.model));
  if (maker === undefined) {
    throw new GatewayError("unsupported_operation", `${provider} makes no vectors with ${call.model}.`, { provider });
  }
  warnOfUnknown(request, maker, { provider, call });
  return embedAll(request, call, {
    provider,
    limits: { inputs: maker.inputs },
    ask: async (part, ownCall) => {
      const answer = await invoke(maker.write(textsOf(part, provider), part), ownCall);
      return readVectors(maker.read(isRecord(answer) ? answer : {}), { provider, call });
    },
  });
}

function warnOfUnknown(
  request: EmbeddingRequest,
  { fields, models }: EmbeddingMaker,
  { provider, call }: Translation,
): void {
  for (const [field, value] of Object.entries(request)) {
    if (value === undefined || value === null || own.has(field) || fields.includes(field)) continue;
    call.warn(`\`${field}\` is not supported by ${provider}`);
  }
  if (request.input_type === undefined && models.test("cohere.embed-")) {
    call.warn(`\`input_type\` is "search_document" unless given, since ${provider} demands one`);
  }
}

function readVectors(
  { vectors, tokens }: ReturnType<EmbeddingMaker["read"]>,
  { provider, call }: Translation,
): EmbeddingResponse {
  if (!Array.isArray(vectors) || !vectors.every(Array.isArray)) throw invalidAnswer(provider, "has no vectors");
  const count = typeof tokens === "number" && !isInvalidCount(tokens) ? tokens : undefined;
  return {
    object: "list",
    model: call.model,
    data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
    ...(count === undefined ? {} : { usage: { prompt_tokens: count, completion_tokens: 0, total_tokens: count } }),
  };
}
