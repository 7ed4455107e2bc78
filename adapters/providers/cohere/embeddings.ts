import type { EmbeddingRequest, EmbeddingResponse } from "../../../src/engine/api/embeddings.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { embedAll } from "../../shared/embeddings/embed.ts";
import { cohereInputTypes, inputTypeIn } from "../../shared/embeddings/input-types.ts";
import { textsOf } from "../../shared/embeddings/inputs.ts";
import type { HttpClient } from "../../shared/http/client.ts";
import { readRerankUsage } from "../../shared/openai-compatible/rerank/from-wire.ts";
import { invalidAnswer } from "../../shared/openai-compatible/response/answer.ts";

/** Texts that one request may hold. */
const mostInputs = 96;

const known = new Set(["model", "input", "fallbacks", "encoding_format", "dimensions", "input_type", "truncate"]);

/** The vectors of a request, however many texts it has. */
export function embedTexts(
  request: EmbeddingRequest,
  call: ProviderCall,
  { client, provider }: { readonly client: HttpClient; readonly provider: string },
): Promise<EmbeddingResponse> {
  return embedAll(request, call, {
    provider,
    limits: { inputs: mostInputs },
    ask: async (part, own) => {
      const context = { provider, call: own };
      return readVectors(await client.post("/v2/embed", writeQuestion(part, context), own), part, context);
    },
  });
}

function writeQuestion(request: EmbeddingRequest, context: Translation): Record<string, unknown> {
  const { provider, call } = context;
  for (const [field, value] of Object.entries(request)) {
    if (!known.has(field) && value !== undefined && value !== null) {
      call.warn(`\`${field}\` is not supported by ${provider}`);
    }
  }
  const { dimensions, truncate } = request;
  return {
    model: call.model,
    texts: textsOf(request, provider),
    input_type: inputType(request, context),
    embedding_types: [typeOf(request)],
    ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
    ...(truncate === undefined ? {} : { truncate: truncate.toUpperCase() }),
  };
}

function typeOf({ encoding_format }: EmbeddingRequest): "float" | "base64" {
  return encoding_format ?? "float";
}

/** The vendor demands to know what the texts are for. */
function inputType({ input_type: requested }: EmbeddingRequest, { provider, call }: Translation): string {
  const known = inputTypeIn(cohereInputTypes, requested);
  if (known !== undefined) return known;
  call.warn(`\`input_type\` is "search_document" unless given, since ${provider} demands one`);
  return "search_document";
}

function readVectors(raw: unknown, request: EmbeddingRequest, { provider, call }: Translation): EmbeddingResponse {
  const answer = isRecord(raw) ? raw : {};
  const vectors = isRecord(answer.embeddings) ? answer.embeddings[typeOf(request)] : undefined;
  if (!Array.isArray(vectors)) throw invalidAnswer(provider, "has no vectors");
  const usage = readRerankUsage(answer);
  return {
    object: "list",
    model: call.model,
    data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
    ...(usage === undefined ? {} : { usage }),
  };
}
