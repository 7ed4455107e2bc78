import type { Embedding, EmbeddingRequest, EmbeddingResponse } from "../../../src/engine/api/embeddings.ts";
import { isInvalidCount } from "../../../src/engine/dialects/counts.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { embedAll } from "../../shared/embeddings/embed.ts";
import { geminiTaskTypes, inputTypeIn } from "../../shared/embeddings/input-types.ts";
import { textsOf } from "../../shared/embeddings/inputs.ts";
import { invalidAnswer } from "../../shared/openai-compatible/response/answer.ts";

const known = new Set(["model", "input", "fallbacks", "encoding_format", "dimensions", "input_type", "truncate"]);

/** Whom the questions are put to. */
interface PredictClient {
  readonly provider: string;
  predict(body: unknown, call: ProviderCall): Promise<unknown>;
}

/** The vectors of a request, however many texts it has; Gemini's model takes one at a time. */
export function embedTexts(
  request: EmbeddingRequest,
  call: ProviderCall,
  { provider, predict }: PredictClient,
): Promise<EmbeddingResponse> {
  for (const [field, value] of Object.entries(request)) {
    if (value !== undefined && value !== null && !known.has(field)) {
      call.warn(`\`${field}\` is not supported by ${provider}`);
    }
  }
  const limits = call.model.startsWith("gemini-embedding") ? { inputs: 1 } : { inputs: 250, tokens: 20_000 };
  return embedAll(request, call, {
    provider,
    limits,
    async ask(part, own) {
      const answer = await predict(writeQuestion(part, { provider, call: own }), own);
      return readVectors(answer, { provider, call: own });
    },
  });
}

/** Cutting off is the vendor's default; `truncate` of a value that it has no word for is named in a warning. */
function writeQuestion(request: EmbeddingRequest, { provider, call }: Translation): unknown {
  const { dimensions, input_type: requested, truncate } = request;
  const cut = typeof truncate === "string" ? truncate.toLowerCase() : truncate; // Cohere and NVIDIA write it in capitals
  const isKnown = cut === "none" || cut === "end";
  if (truncate !== undefined && !isKnown)
    call.warn(`\`truncate\` ${JSON.stringify(truncate)} is not supported by ${provider}`);
  const parameters = {
    ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
    ...(isKnown ? { autoTruncate: cut === "end" } : {}),
  };
  const task_type = inputTypeIn(geminiTaskTypes, requested);
  return {
    instances: textsOf(request, provider).map((content) => ({ content, task_type })),
    parameters: Object.keys(parameters).length === 0 ? undefined : parameters,
  };
}

function readVectors(answer: unknown, { provider, call }: Translation): EmbeddingResponse {
  const predictions = isRecord(answer) ? answer.predictions : undefined;
  if (!Array.isArray(predictions)) throw invalidAnswer(provider, "has no vectors");
  const raw = predictions.map((prediction) => readVector(prediction, provider));
  for (const [index, { isCutOff, tokens }] of raw.entries())
    if (isCutOff)
      call.warn(`\`input.${index}\` is cut off: ${provider}/${call.model} read ${tokens ?? "some"} tokens of it`);
  const counts = raw.map(({ tokens }) => tokens);
  const total = counts.every((count) => count !== undefined)
    ? counts.reduce((sum, count) => sum + count, 0)
    : undefined;
  const data: Embedding[] = raw.map(({ embedding }, index) => ({ object: "embedding", index, embedding }));
  return {
    object: "list",
    model: call.model,
    data,
    ...(total === undefined ? {} : { usage: { prompt_tokens: total, completion_tokens: 0, total_tokens: total } }),
  };
}

/** A vector, what was read for it, and whether the text is longer than that. */
interface ReadVector {
  readonly embedding: number[];
  readonly tokens: number | undefined;
  readonly isCutOff: boolean;
}

function readVector(prediction: unknown, provider: string): ReadVector {
  const { values, statistics } = isRecord(prediction) && isRecord(prediction.embeddings) ? prediction.embeddings : {};
  if (!Array.isArray(values)) throw invalidAnswer(provider, "has no vectors");
  const tokens = isRecord(statistics) ? statistics.token_count : undefined;
  const isCutOff = isRecord(statistics) && statistics.truncated === true;
  const count = typeof tokens === "number" && !isInvalidCount(tokens) ? tokens : undefined;
  return { embedding: values, tokens: count, isCutOff };
}
