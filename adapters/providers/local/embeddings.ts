import type { EmbeddingRequest, EmbeddingResponse } from "../../../src/engine/api/embeddings.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { embedAll } from "../../shared/embeddings/embed.ts";
import { textsOf } from "../../shared/embeddings/inputs.ts";
import type { SentenceModel } from "./sentence-model.ts";
import { countTokens } from "./words.ts";

const honoured = new Set([
  "model",
  "input",
  "fallbacks",
  "encoding_format",
  "dimensions",
  "truncate",
  "allow_other_model",
]);

/** What makes the vectors. */
interface Maker {
  readonly provider: string;
  readonly model: Pick<SentenceModel, "embed">;
  /** Numbers of a vector; it cannot be made shorter. */
  readonly dimensions: number;
  /** Tokens of a text that the model reads. */
  readonly maxTokens: number;
}

/** Vectors made in this process. Tokens are counted by the rule of `words.ts`, which `usage.estimated` says. */
export function embedHere(request: EmbeddingRequest, call: ProviderCall, maker: Maker): Promise<EmbeddingResponse> {
  const { provider, model, dimensions } = maker;
  for (const [field, value] of Object.entries(request)) {
    if (!honoured.has(field) && value !== undefined) call.warn(`\`${field}\` is not supported by ${provider}`);
  }
  const { dimensions: filters = dimensions } = request;
  if (filters !== dimensions) call.warn(`\`dimensions\` are always ${dimensions} with ${provider}/${call.model}`);
  return embedAll(request, call, {
    provider,
    async ask(part) {
      const texts = textsOf(part, provider);
      const { vectors, tokens: counts } = await model.embed(texts, call.signal);
      sayCutOff(counts, request, { call, maker });
      const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
      return {
        object: "list",
        model: call.model,
        data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding: [...embedding] })),
        usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens, estimated: true },
      };
    },
  });
}

/** Says which texts are longer than what the model reads; throws where the request wants no text to be cut off. */
function sayCutOff(
  counts: readonly number[],
  { truncate }: EmbeddingRequest,
  { call, maker }: { readonly call: ProviderCall; readonly maker: Maker },
): void {
  const { provider, maxTokens } = maker;
  for (const [index, count] of counts.entries()) {
    if (count <= maxTokens) continue;
    const problem = `has ${count} tokens, of which ${provider}/${call.model} reads the first ${maxTokens}`;
    const param = `input.${index}`;
    if (truncate === "none") throw new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
    call.warn(`\`${param}\` is cut off: it ${problem}`);
  }
}
