import { z } from "zod";
import * as decisions from "../engine/api/decisions.ts";
import * as embeddings from "../engine/api/embeddings.ts";
import * as models from "../engine/api/models.ts";
import * as rerank from "../engine/api/rerank.ts";
import { chatSchemas as chat } from "./chat-request.ts";
import { type Operation, op } from "./define.ts";
import { sharedSchemas } from "./vocabulary.ts";

type InferenceName =
  | "models"
  | "model"
  | "chat"
  | "embed"
  | "rerank"
  | "decide"
  | "forget"
  | "forget_all"
  | "health"
  | "health_live"
  | "health_ready"
  | "document";

/** Answer of `GET /health`: the gateway accepts requests. */
const Health = z.object({ status: z.literal("ok") });

const Check = z.object({
  status: z.enum(["ok", "failed"]),
  milliseconds: z.number().min(0),
  message: z.string().optional(),
});

/** The rows that the ledger does not have yet. */
const LedgerCheck = Check.extend({
  waiting: z.int().min(0),
  on_disk: z.int().min(0).optional(),
  lost: z.int().min(0),
});

/** Answer of `GET /health/ready`: 200 where calls can be taken, 503 where not, with the state of what they depend on. */
const Readiness = z.object({
  status: z.enum(["ready", "draining", "unavailable"]),
  in_flight: z.int().min(0),
  checks: z.object({ store: Check, counters: Check, recovery: Check, ledger: LedgerCheck }).partial(),
});

/** Answer of `DELETE /v1/cache`: how many cached answers were removed. */
const RemovedAnswer = z.object({ deleted: z.int().min(0) });

/** An OpenAPI 3.1 document. */
const Document = z.looseObject({ openapi: z.string() });

/** The rows of the inference API (inference-gateway-api.md). */
export const inference: Readonly<Record<InferenceName, Operation>> = {
  models: op("GET /v1/models", "virtual_key", "List available models", {
    in: models.ModelListRequest,
    out: models.ModelListResponse,
  }),
  model: op("GET /v1/models/{+model}", "virtual_key", "Read one model of the list", {
    out: models.Model,
    isExtension: true,
  }),
  chat: op("POST /v1/chat/completions", "virtual_key", "Create a chat completion", {
    in: chat.ChatRequest,
    out: chat.ChatResponse,
    stream: chat.ChatChunk,
  }),
  embed: op("POST /v1/embeddings", "virtual_key", "Create embedding vectors", {
    in: embeddings.EmbeddingRequest,
    out: embeddings.EmbeddingResponse,
  }),
  rerank: op("POST /v1/rerank", "virtual_key", "Reorder documents by relevance to a query", {
    in: rerank.RerankRequest,
    out: rerank.RerankResponse,
  }),
  decide: op("POST /v1/decisions", "virtual_key", "Answer typed questions about a given state", {
    in: decisions.DecisionRequest,
    out: decisions.DecisionResponse,
  }),
  forget: op("DELETE /v1/cache/{+cache_id}", "virtual_key", "Forget one kept answer of the caller's own scope", {
    isExtension: true,
  }),
  forget_all: op("DELETE /v1/cache", "virtual_key", "Forget all kept answers of the caller's own scope", {
    out: RemovedAnswer,
    isExtension: true,
  }),
  health: op("GET /health", "open", "Tell that the gateway takes requests; 503 while it drains", {
    out: Health,
    isExtension: true,
  }),
  health_live: op("GET /health/live", "open", "Tell that the process answers, also while it drains", {
    out: Health,
    isExtension: true,
  }),
  health_ready: op(
    "GET /health/ready",
    "open",
    "Tell whether calls can be taken, and what they depend on; 503 if not",
    {
      out: Readiness,
      isExtension: true,
    },
  ),
  document: op("GET /openapi.json", "open", "Describe this API", { out: Document, isExtension: true }),
};

/** The schemas of the inference API by name: the components of its OpenAPI document. */
export const inferenceSchemas: Readonly<Record<string, unknown>> = {
  ...sharedSchemas,
  ...chat,
  ...models,
  ...embeddings,
  ...rerank,
  ...decisions,
};
