import type { Embedding, EmbeddingRequest, EmbeddingResponse } from "../../../src/engine/api/embeddings.ts";
import { type EmbeddingInput, inputsOf } from "../../../src/engine/dialects/embedding-inputs.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import { sumUsages } from "../../../src/engine/metering/counts.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { askParts } from "../concurrent.ts";
import { type InputLimits, splitInputs } from "./inputs.ts";
import { inFormat, isVector } from "./vectors.ts";

/** A vendor that embeds. */
export interface Embedder {
  readonly provider: string;
  /** What one request may hold; anything unless given. */
  readonly limits?: InputLimits | undefined;
  /** Asks for the vectors of a request within the limits. */
  ask(request: EmbeddingRequest, call: ProviderCall): Promise<EmbeddingResponse>;
}

/**
 * The vectors of a request of any size: parts that the vendor accepts are sent a few at a time and joined in order, their usage
 * summed; a part that fails fails the call. Every vector is in the requested format, whichever format the vendor sent.
 */
export async function embedAll(
  request: EmbeddingRequest,
  call: ProviderCall,
  { provider, limits = { inputs: Infinity }, ask }: Embedder,
): Promise<EmbeddingResponse> {
  const parts = splitInputs(inputsOf(request), limits);
  const one = async (part: EmbeddingRequest, own: ProviderCall) => {
    const answer = await ask(part, own);
    own.answered?.({ request: part, usage: answer.usage });
    const data = inOrder(answer.data, inputsOf(part).length, provider);
    if (data.every(({ embedding }) => isVector(embedding))) return { ...answer, data };
    throw new GatewayError("upstream_invalid_response", `The answer of ${provider} has an entry without its vector.`, {
      provider,
    });
  };
  const requestOf = (input: EmbeddingInput[]) => ({ ...request, input: input as string[] });
  const answers = parts.length === 1 ? [await one(request, call)] : await askParts(parts.map(requestOf), call, one);
  return joinAnswers(answers, request);
}

/** The vectors by their places, each of which has one. */
function inOrder(vectors: readonly Embedding[], expected: number, provider: string): Embedding[] {
  const sorted = [...vectors].sort((one, other) => one.index - other.index);
  if (sorted.length === expected && sorted.every(({ index }, at) => index === at)) return sorted;
  const message = `${provider} gave ${vectors.length} vectors for ${expected} inputs, or gave them places of others.`;
  throw new GatewayError("upstream_invalid_response", message, { provider });
}

function joinAnswers(answers: readonly EmbeddingResponse[], { encoding_format }: EmbeddingRequest): EmbeddingResponse {
  const [first] = answers as [EmbeddingResponse];
  const data = answers
    .flatMap((answer) => answer.data)
    .map((vector, index) => ({ ...vector, index, embedding: inFormat(vector.embedding, encoding_format) }));
  const { usage: _usage, ...envelope } = first;
  const usage = sumUsages(answers.map((answer) => answer.usage));
  return usage === undefined ? { ...envelope, data } : { ...envelope, data, usage };
}
