import { z } from "zod";
import { ChatRequest } from "../../../engine/api/chat.ts";
import { CacheControl, Fallbacks } from "../../../engine/api/common.ts";
import { ownBlockTypes } from "../../../engine/dialects/anthropic/own-blocks.ts";

const cached = { cache_control: CacheControl.nullish() };

const Text = z.looseObject({ type: z.literal("text"), text: z.string(), ...cached });

const ImageSource = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
  z.looseObject({ type: z.literal("url"), url: z.string() }),
  z.looseObject({ type: z.literal("file"), file_id: z.string() }),
]);
const Image = z.looseObject({ type: z.literal("image"), source: ImageSource, ...cached });

const DocumentSource = z.discriminatedUnion("type", [
  ...ImageSource.options,
  z.looseObject({ type: z.literal("text"), media_type: z.string().optional(), data: z.string() }),
  z.looseObject({
    type: z.literal("content"),
    content: z.union([z.string(), z.array(z.discriminatedUnion("type", [Text, Image]))]),
  }),
]);
const Document = z.looseObject({
  type: z.literal("document"),
  source: DocumentSource,
  title: z.string().nullish(),
  ...cached,
});

const SearchResult = z.looseObject({
  type: z.literal("search_result"),
  source: z.string(),
  title: z.string(),
  content: z.array(Text),
  ...cached,
});

/** A tool that a search for tools found; in results only. */
const ToolReference = z.looseObject({ type: z.literal("tool_reference"), tool_name: z.string(), ...cached });

/** What the result of a tool may hold. */
const ResultBlock = z.discriminatedUnion("type", [Text, Image, Document, SearchResult, ToolReference]);
export type ResultBlock = z.infer<typeof ResultBlock>;

const ToolResult = z.looseObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(ResultBlock)]).nullish(),
  is_error: z.boolean().nullish(),
  ...cached,
});

const ToolUse = z.looseObject({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** Who called it: the model itself, or a tool of the vendor's. */
  caller: z.record(z.string(), z.unknown()).nullish(),
  ...cached,
});

/** Blocks that the vendor's own tools leave in a conversation; no other vendor accepts them. */
export const OwnBlock = z.looseObject({
  type: z.enum(ownBlockTypes),
});

/** One block of a message. */
export const AnthropicBlock = z.discriminatedUnion("type", [
  ...ResultBlock.options,
  ToolResult,
  ToolUse,
  z.looseObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
  z.looseObject({ type: z.literal("redacted_thinking"), data: z.string() }),
  OwnBlock,
]);
export type AnthropicBlock = z.infer<typeof AnthropicBlock>;

/** One turn of the conversation. */
export const AnthropicTurn = z.looseObject({
  role: z.enum(["user", "assistant", "system"]),
  content: z.union([z.string(), z.array(AnthropicBlock)]),
});
export type AnthropicTurn = z.infer<typeof AnthropicTurn>;

/** A tool of the caller's, or (with a `type` of its own) one of the vendor's. */
export const AnthropicTool = z.looseObject({
  type: z.string().nullish(),
  name: z.string(),
  description: z.string().optional(),
  input_schema: z.record(z.string(), z.unknown()).optional(),
  strict: z.boolean().optional(),
  ...cached,
});
export type AnthropicTool = z.infer<typeof AnthropicTool>;

export const AnthropicToolChoice = z.looseObject({
  type: z.enum(["auto", "any", "tool", "none"]),
  name: z.string().optional(),
  disable_parallel_tool_use: z.boolean().optional(),
});

const { temperature, top_p, max_completion_tokens } = ChatRequest.shape;

const OutputFormat = z.looseObject({ type: z.literal("json_schema"), schema: z.record(z.string(), z.unknown()) });

/** Body of `POST /anthropic/v1/messages`; bounds are those of the canonical request. */
export const AnthropicRequest = z.looseObject({
  model: z.string(),
  messages: z.array(AnthropicTurn),
  max_tokens: max_completion_tokens,
  fallbacks: Fallbacks.optional(),
  system: z.union([z.string(), z.array(Text)]).optional(),
  stream: z.boolean().optional(),
  stop_sequences: z.array(z.string()).optional(),
  temperature,
  top_p,
  top_k: z.int().optional(),
  tools: z.array(AnthropicTool).optional(),
  tool_choice: AnthropicToolChoice.optional(),
  thinking: z
    .looseObject({
      type: z.enum(["enabled", "disabled", "adaptive", "between_tools"]),
      budget_tokens: z.int().optional(),
      display: z.enum(["summarized", "omitted"]).nullish(),
    })
    .optional(),
  output_config: z
    .looseObject({
      effort: z.enum(["low", "medium", "high", "xhigh", "max"]).nullish(),
      format: OutputFormat.nullish(),
    })
    .optional(),
  /** The name of `output_config.format` while structured outputs were in beta. */
  output_format: OutputFormat.optional(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).optional(),
  service_tier: z.enum(["auto", "standard_only"]).optional(),
});
export type AnthropicRequest = z.infer<typeof AnthropicRequest>;

/** The body of every failure; `details` are ours. */
export const AnthropicFailure = z.looseObject({
  type: z.literal("error"),
  error: z.looseObject({
    type: z.string(),
    message: z.string(),
    details: z.looseObject({ error_code: z.string(), param: z.string().optional() }),
  }),
  request_id: z.string(),
});

const count = z.int().nonnegative();

export const AnthropicUsage = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count.nullable(),
  cache_read_input_tokens: count.nullable(),
});
export type AnthropicUsage = z.infer<typeof AnthropicUsage>;

/** A whole answer. */
export const AnthropicMessage = z.looseObject({
  id: z.string(),
  type: z.literal("message"),
  role: z.literal("assistant"),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullable(),
  stop_sequence: z.string().nullable(),
  usage: AnthropicUsage,
});
export type AnthropicMessage = z.infer<typeof AnthropicMessage>;

/** One event of a streamed answer; `event:` of its frame is its `type`. */
export const AnthropicEvent = z.looseObject({
  type: z.enum([
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "error",
  ]),
});

export const AnthropicTokenCount = z.looseObject({ input_tokens: count });

/** Query of `GET /anthropic/v1/models`. */
export const AnthropicModelQuery = z.looseObject({
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  after_id: z.string().optional(),
  before_id: z.string().optional(),
});
export type AnthropicModelQuery = z.infer<typeof AnthropicModelQuery>;

export const AnthropicModel = z.looseObject({
  type: z.literal("model"),
  id: z.string(),
  display_name: z.string(),
  created_at: z.string(),
});
export type AnthropicModel = z.infer<typeof AnthropicModel>;

export const AnthropicModelList = z.looseObject({
  data: z.array(AnthropicModel),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});
