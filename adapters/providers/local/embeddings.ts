import type { EmbeddingRequest, EmbeddingResponse } from "../../../src/api/embeddings.ts";
import type { ProviderCall } from "../../../src/ports/provider.ts";
import { embedAll } from "../../shared/embeddings/embed.ts";
import { textsOf } from "../../shared/embeddings/inputs.ts";
import type { SentenceModel } from "./sentence-model.ts";
import { countTokens } from "./words.ts";

const honoured = new Set(["model", "input", "fallbacks", "encoding_format", "dimensions"]);

/** What makes the vectors. */
interface Maker {
  readonly provider: string;
  readonly model: Pick<SentenceModel, "embed">;
  /** Numbers of a vector; it cannot be made shorter. */
  readonly dimensions: number;
}

/** Vectors made in this process. Tokens are counted by the rule of `words.ts`, which `usage.estimated` says. */
export function embedHere(
  request: EmbeddingRequest,
  call: ProviderCall,
  { provider, model, dimensions }: Maker,
): Promise<EmbeddingResponse> {
  for (const [field, value] of Object.entries(request)) {
    if (!honoured.has(field) && value !== undefined) call.warn(`\`${field}\` is not supported by ${provider}`);
  }
  const { dimensions: filters = dimensions } = request;
  if (filters !== dimensions) call.warn(`\`dimensions\` are always ${dimensions} with ${provider}/${call.model}`);
  return embedAll(request, call, {
    provider,
    async ask(part) {
      const texts = textsOf(part, provider);
      const vectors = await model.embed(texts, call.signal);
      const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
      return {
        object: "list",
        model: call.model,
        data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
        usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens, estimated: true },
      };
    },
  });
}
