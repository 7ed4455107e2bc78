import type { CompatibilityProfile } from "../../shared/openai-compatible/compatibility-profile.ts";
import type { CompatibleRow } from "./row.ts";

/** What a vendor that does not chat has to say of chats. */
const noChat = {
  streamOptions: "none",
  reasoning: "unsupported",
  history: "dropped",
} as const satisfies CompatibilityProfile;

/** Vendors that embed and rank and do not chat. Deviations are those of the page named in `docs`, read in November 2026. */
export const retrievalRows = {
  voyage: {
    title: "Voyage AI",
    docs: "docs.voyageai.com, Text embeddings and Reranker, the limits of the smallest models",
    baseUrl: "https://api.voyageai.com/v1",
    env: "VOYAGE_API_KEY",
    needsKey: true,
    chats: false,
    embeds: true,
    models: ["voyage-4-large", "voyage-4", "voyage-4-lite", "voyage-code-3", "rerank-2.5", "rerank-2.5-lite"],
    dialect: {
      ...noChat,
      embeddings: {
        unsupported: ["user"],
        renamed: { dimensions: "output_dimension" },
        inputTypes: { query: "query", document: "document" },
        truncation: { field: "truncation", none: false, end: true },
        lacksBase64: true,
        lacksTokens: true,
        limits: { inputs: 1_000, tokens: 120_000 },
      },
      rerank: {
        path: "/rerank",
        renamed: { top_n: "top_k" },
        lacks: ["max_tokens_per_doc", "priority"],
        truncation: { field: "truncation", none: false, end: true },
        mostDocuments: 1_000,
      },
    },
  },
  jina: {
    title: "Jina AI",
    docs: "api.jina.ai/docs, Embeddings and Reranker",
    baseUrl: "https://api.jina.ai/v1",
    env: "JINA_API_KEY",
    needsKey: true,
    chats: false,
    embeds: true,
    models: ["jina-embeddings-v4", "jina-embeddings-v3", "jina-reranker-v3", "jina-reranker-v2-base-multilingual"],
    dialect: {
      ...noChat,
      embeddings: {
        unsupported: ["user"],
        renamed: { input_type: "task" },
        truncation: { field: "truncate", none: false, end: true },
        inputTypes: { query: "retrieval.query", document: "retrieval.passage", classification: "classification" },
        lacksBase64: true,
        lacksTokens: true,
        limits: { inputs: 512 },
      },
      // Returns every document by default.
      rerank: { path: "/rerank", lacks: ["max_tokens_per_doc", "priority"], always: { return_documents: false } },
    },
  },
  tei: {
    title: "Text Embeddings Inference",
    docs: "huggingface.github.io/text-embeddings-inference, the API of the server at its default `--max-client-batch-size`",
    baseUrl: "http://localhost:3000",
    env: "TEI_API_KEY",
    urlEnv: "TEI_BASE_URL",
    needsKey: false,
    chats: false,
    embeds: true,
    models: "/info",
    dialect: {
      ...noChat,
      embeddings: { path: "/v1/embeddings", limits: { inputs: 32 } },
      // Its own form: `texts`, a bare list of `score`s, and neither a model nor a usage.
      rerank: {
        path: "/rerank",
        renamed: { documents: "texts" },
        lacks: ["model", "top_n", "max_tokens_per_doc", "priority"],
        truncation: { field: "truncate", none: false, end: true },
        mostDocuments: 32,
      },
    },
  },
} as const satisfies Record<string, CompatibleRow>;
