import type { Embedding, EmbeddingRequest, EmbeddingResponse } from "../../../src/engine/api/embeddings.ts";
import type { GeminiWireUsage } from "../../../src/engine/dialects/gemini/usage.ts";
import { embeddingUsage } from "../../../src/engine/dialects/gemini/usage.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { embedAll } from "../../shared/embeddings/embed.ts";
import { geminiTaskTypes, inputTypeIn } from "../../shared/embeddings/input-types.ts";
import { textsOf } from "../../shared/embeddings/inputs.ts";

const known = new Set(["model", "input", "fallbacks", "encoding_format", "dimensions"]);

/** The second generation reads the purpose of a text from a prefix of the text itself. */
const lacksTasks = /embedding-2/;

/** The request of embeddings: a single text by a method of its own, several in a batch. */
export interface EmbedQuestion {
  readonly method: "embedContent" | "batchEmbedContents";
  readonly body: unknown;
}

/** Texts that one batch may hold. */
const mostInputs = 100;

/** Whom the questions are put to. */
interface GeminiEmbeddingClient {
  readonly provider: string;
  ask(question: EmbedQuestion, call: ProviderCall): Promise<unknown>;
}

/** The vectors of a request, however many texts it has. */
export function embedTexts(
  request: EmbeddingRequest,
  call: ProviderCall,
  { provider, ask }: GeminiEmbeddingClient,
): Promise<EmbeddingResponse> {
  return embedAll(request, call, {
    provider,
    limits: { inputs: mostInputs },
    ask: async (part, own) => fromEmbedAnswer(await ask(toEmbedQuestion(part, { provider, call: own }), own), own),
  });
}

/** Writes a request for embeddings; the vendor takes texts, not tokens. */
function toEmbedQuestion(request: EmbeddingRequest, { provider, call }: Translation): EmbedQuestion {
  for (const [field, value] of Object.entries(request)) {
    const isTask = field === "input_type" && !lacksTasks.test(call.model);
    if (!known.has(field) && !isTask && value !== undefined && value !== null) {
      call.warn(`\`${field}\` is not supported by ${provider}`);
    }
  }
  const taskType = lacksTasks.test(call.model) ? undefined : inputTypeIn(geminiTaskTypes, request.input_type);
  const requests = textsOf(request, provider).map((text) => {
    const content = { parts: [{ text }] };
    return { model: `models/${call.model}`, content, taskType, outputDimensionality: request.dimensions };
  });
  const [only] = requests;
  return requests.length === 1
    ? { method: "embedContent", body: only }
    : { method: "batchEmbedContents", body: { requests } };
}

/** The vectors, in the order of the input. */
function fromEmbedAnswer(body: unknown, { model }: ProviderCall): EmbeddingResponse {
  const answer = isRecord(body) ? body : {};
  const vectors = Array.isArray(answer.embeddings)
    ? answer.embeddings
    : isRecord(answer.embedding)
      ? [answer.embedding]
      : [];
  const usage = embeddingUsage(answer.usageMetadata as GeminiWireUsage | undefined);
  return {
    object: "list",
    model,
    data: vectors.map(embeddingOf),
    ...(usage === undefined ? {} : { usage }),
  };
}

function embeddingOf(vector: unknown, index: number): Embedding {
  const values = isRecord(vector) && Array.isArray(vector.values) ? (vector.values as number[]) : [];
  return { object: "embedding", index, embedding: values };
}
