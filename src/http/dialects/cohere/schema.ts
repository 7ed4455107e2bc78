import { z } from "zod";
import { ChatRequest } from "../../../engine/api/chat.ts";
import { Fallbacks } from "../../../engine/api/common.ts";
import { RerankRequest } from "../../../engine/api/rerank.ts";

const Text = z.looseObject({ type: z.literal("text"), text: z.string() });
const Image = z.looseObject({
  type: z.literal("image_url"),
  image_url: z.looseObject({ url: z.string(), detail: z.string().nullish() }),
});
const Thinking = z.looseObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string().nullish() });
const Document = z.looseObject({
  type: z.literal("document"),
  document: z.looseObject({ data: z.union([z.string(), z.record(z.string(), z.unknown())]), id: z.string().nullish() }),
});

const ToolCall = z.looseObject({
  id: z.string(),
  type: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

/** One message of the conversation. */
export const CohereMessage = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("system"), content: z.union([z.string(), z.array(Text)]) }),
  z.looseObject({
    role: z.literal("user"),
    content: z.union([z.string(), z.array(z.discriminatedUnion("type", [Text, Image]))]),
  }),
  z.looseObject({
    role: z.literal("assistant"),
    content: z.union([z.string(), z.array(z.discriminatedUnion("type", [Text, Thinking]))]).nullish(),
    tool_calls: z.array(ToolCall).nullish(),
    tool_plan: z.string().nullish(),
  }),
  z.looseObject({
    role: z.literal("tool"),
    tool_call_id: z.string(),
    content: z.union([z.string(), z.array(z.discriminatedUnion("type", [Text, Document]))]),
  }),
]);
export type CohereMessage = z.infer<typeof CohereMessage>;

export const CohereTool = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({
    name: z.string(),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  }),
});
export type CohereTool = z.infer<typeof CohereTool>;

const { temperature, top_p, max_completion_tokens, seed, frequency_penalty, presence_penalty } = ChatRequest.shape;

/** Body of `POST /cohere/v2/chat`; bounds are those of the canonical request. */
export const CohereChatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(CohereMessage),
  stream: z.boolean().optional(),
  fallbacks: Fallbacks.optional(),
  tools: z.array(CohereTool).optional(),
  strict_tools: z.boolean().optional(),
  tool_choice: z.enum(["REQUIRED", "NONE"]).optional(),
  response_format: z
    .looseObject({
      type: z.enum(["text", "json_object"]),
      json_schema: z.record(z.string(), z.unknown()).nullish(),
      schema: z.record(z.string(), z.unknown()).nullish(),
    })
    .optional(),
  max_tokens: max_completion_tokens,
  stop_sequences: z.array(z.string()).optional(),
  temperature,
  seed,
  frequency_penalty,
  presence_penalty,
  k: z.int().optional(),
  p: top_p,
  logprobs: z.boolean().optional(),
  thinking: z.looseObject({ type: z.enum(["enabled", "disabled"]), token_budget: z.int().nullish() }).optional(),
});
export type CohereChatRequest = z.infer<typeof CohereChatRequest>;

/** The body of every failure; `code` and `param` are ours. */
export const CohereFailure = z.looseObject({
  id: z.string(),
  message: z.string(),
  code: z.string(),
  param: z.string().optional(),
});

const Units = z.looseObject({ input_tokens: z.number().optional(), output_tokens: z.number().optional() });

export const CohereUsage = z.looseObject({ billed_units: Units, tokens: Units });
export type CohereUsage = z.infer<typeof CohereUsage>;

/** A whole answer. */
export const CohereChatResponse = z.looseObject({
  id: z.string(),
  finish_reason: z.string(),
  message: z.looseObject({ role: z.literal("assistant") }),
  usage: CohereUsage.optional(),
});
export type CohereChatResponse = z.infer<typeof CohereChatResponse>;

/** One event of a streamed answer. */
export const CohereChatEvent = z.looseObject({
  type: z.enum([
    "message-start",
    "content-start",
    "content-delta",
    "content-end",
    "tool-plan-delta",
    "tool-call-start",
    "tool-call-delta",
    "tool-call-end",
    "citation-start",
    "citation-end",
    "message-end",
  ]),
});

/** Body of `POST /cohere/v2/rerank`. */
export const CohereRerankRequest = z.looseObject({
  model: z.string(),
  query: RerankRequest.shape.query,
  documents: z.array(z.union([z.string().min(1), z.looseObject({ text: z.string().min(1) })])).min(1),
  fallbacks: Fallbacks.optional(),
  top_n: RerankRequest.shape.top_n,
  max_tokens_per_doc: RerankRequest.shape.max_tokens_per_doc,
  priority: RerankRequest.shape.priority,
  return_documents: z.boolean().optional(),
});
export type CohereRerankRequest = z.infer<typeof CohereRerankRequest>;

const Meta = z.looseObject({ api_version: z.looseObject({ version: z.string() }) });

export const CohereRerankResponse = z.looseObject({
  id: z.string(),
  results: z.array(z.looseObject({ index: z.int(), relevance_score: z.number() })),
  meta: Meta,
});

const EmbedContent = z.discriminatedUnion("type", [
  Text,
  z.looseObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }) }),
]);

/** The vendor's others (`int8`, `binary` and their like) would have to be made of floats, and are refused. */
export const CohereEmbeddingType = z.enum(["float", "base64"], { error: "can be float or base64 only" });

/** Body of `POST /cohere/v2/embed`. */
export const CohereEmbedRequest = z.looseObject({
  model: z.string(),
  texts: z.array(z.string()).optional(),
  images: z.array(z.string()).optional(),
  inputs: z.array(z.looseObject({ content: z.array(EmbedContent) })).optional(),
  input_type: z.string().optional(),
  embedding_types: z.array(CohereEmbeddingType).optional(),
  output_dimension: z.int().min(1).optional(),
  truncate: z.enum(["NONE", "START", "END"]).optional(),
  fallbacks: Fallbacks.optional(),
});
export type CohereEmbedRequest = z.infer<typeof CohereEmbedRequest>;

export const CohereEmbedResponse = z.looseObject({
  id: z.string(),
  response_type: z.literal("embeddings_by_type"),
  embeddings: z.looseObject({
    float: z.array(z.array(z.number())).optional(),
    base64: z.array(z.string()).optional(),
  }),
  meta: Meta,
});
