import { z } from "zod";
import { ExtraFields, Fallbacks, ModelName } from "./common.ts";
import { type AnsweredMessage, ChatMessage, Delta } from "./message.ts";
import { Tool, ToolChoice } from "./tools.ts";
import { Usage } from "./usage.ts";

const penalty = z.number().min(-2).max(2);

/** How hard a model is to think, in the words of the specification. */
export const Effort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]);

/** How a model reasons before it answers. */
export const Reasoning = z.looseObject({
  effort: Effort.optional(),
  max_tokens: z.int().optional(),
});

const WebSearchOptions = z.looseObject({
  search_context_size: z.enum(["low", "medium", "high"]).optional(),
  user_location: z
    .looseObject({
      type: z.string().optional(),
      approximate: z
        .looseObject({
          city: z.string().optional(),
          country: z
            .string()
            .regex(/^[A-Za-z]{2}$/, "must be a two-letter ISO country code")
            .optional(),
          region: z.string().optional(),
          timezone: z.string().optional(),
        })
        .optional(),
    })
    .optional(),
});

/** What only Anthropic's models are asked; other targets leave it out, with a warning for each field. */
const AnthropicExtension = z.looseObject({
  /** Values of `anthropic-beta`; those that the provider's `callerBetas` does not allow are left out. */
  betas: z.array(z.string()).optional(),
  /** Names of tools whose definitions the model searches for (`defer_loading`). */
  deferred_tools: z.array(z.string()).optional(),
  /** The vendor's own tools as it has them, e.g. `{ "type": "bash_20250124", "name": "bash" }`. */
  tools: z.array(z.looseObject({ type: z.string(), name: z.string() })).optional(),
  /** The vendor's web search as it has it, with its limits; `web_search_options` then is for other vendors. */
  web_search: z.looseObject({ type: z.string(), name: z.string() }).optional(),
});

/** Body of `POST /v1/chat/completions`. Unknown fields pass through to targets that take them. */
export const ChatRequest = z.looseObject({
  model: ModelName,
  messages: z.array(ChatMessage),
  fallbacks: Fallbacks.optional(),
  stream: z.boolean().optional(),
  frequency_penalty: penalty.optional(),
  presence_penalty: penalty.optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_logprobs: z.int().min(0).max(20).optional(),
  logprobs: z.boolean().optional(),
  logit_bias: z.record(z.string(), z.number()).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  modalities: z.array(z.string()).optional(),
  parallel_tool_calls: z.boolean().optional(),
  prompt_cache_key: z.string().optional(),
  prompt_cache_retention: z.enum(["in-memory", "24h"]).optional(),
  reasoning: Reasoning.optional(),
  response_format: z.looseObject({}).optional(),
  safety_identifier: z.string().optional(),
  service_tier: z.string().optional(),
  stream_options: z
    .looseObject({ include_obfuscation: z.boolean().optional(), include_usage: z.boolean().optional() })
    .optional(),
  store: z.boolean().optional(),
  seed: z.int().optional(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).optional(),
  tool_choice: ToolChoice.optional(),
  tools: z.array(Tool).optional(),
  prediction: z
    .looseObject({
      type: z.literal("content"),
      content: z.union([z.string(), z.array(z.looseObject({}))]).optional(),
    })
    .optional(),
  web_search_options: WebSearchOptions.optional(),
  truncation: z.string().optional(),
  user: z.string().optional(),
  anthropic: AnthropicExtension.optional(),
  verbosity: z.enum(["low", "medium", "high"]).optional(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

/** What OpenAI's older clients call otherwise than the specification; bounds are those of the present names. */
export const OlderNames = z.looseObject({
  max_tokens: ChatRequest.shape.max_completion_tokens,
  reasoning_effort: z.string().optional(),
});
export type OlderNames = z.infer<typeof OlderNames>;

const TokenLogProb = z.looseObject({
  bytes: z.array(z.int()).nullish(),
  logprob: z.number(),
  token: z.string(),
});

export const LogProbs = z.looseObject({
  content: z.array(TokenLogProb.extend({ top_logprobs: z.array(TokenLogProb).optional() })).nullish(),
  refusal: z.array(TokenLogProb).nullish(),
  text_offset: z.array(z.int()).optional(),
  token_logprobs: z.array(z.number()).optional(),
  tokens: z.array(z.string()).optional(),
  top_logprobs: z.array(z.record(z.string(), z.number())).optional(),
});
export type LogProbs = z.infer<typeof LogProbs>;

const ending = {
  /** The stop sequence that ended the answer; null where the vendor does not say which one it was. */
  stop_sequence: z.string().nullish(),
  /** The vendor's own word, where `finish_reason` says less. */
  native_finish_reason: z.string().nullish(),
};

export const Choice = z.looseObject({
  index: z.int(),
  finish_reason: z.string().nullable(),
  log_probs: LogProbs.nullish(),
  text: z.string().optional(),
  ...ending,
  message: ChatMessage,
});
export type Choice = z.infer<typeof Choice>;

const SearchResult = z.looseObject({
  title: z.string().optional(),
  url: z.string().optional(),
  date: z.string().nullish(),
  last_updated: z.string().nullish(),
  snippet: z.string().optional(),
  source: z.string().optional(),
});

const Video = z.looseObject({
  url: z.string().optional(),
  thumbnail_url: z.string().optional(),
  thumbnail_width: z.int().optional(),
  thumbnail_height: z.int().optional(),
  duration: z.number().nullish(),
});

/** What a search-backed model adds to an answer. */
const extras = {
  search_results: z.array(SearchResult).optional(),
  videos: z.array(Video).optional(),
  citations: z.array(z.string()).optional(),
};

/** A whole chat answer. */
export const ChatResponse = z.looseObject({
  id: z.string(),
  object: z.string(),
  created: z.int(),
  model: z.string(),
  choices: z.array(Choice),
  service_tier: z.string().nullish(),
  system_fingerprint: z.string().nullish(),
  usage: Usage.optional(),
  extra_fields: ExtraFields.optional(),
  ...extras,
});
export interface ChatResponse extends z.infer<typeof ChatResponse> {
  choices: ChatChoice[];
}

/** One answer of a whole response; usually there is one. */
export interface ChatChoice extends Choice {
  message: AnsweredMessage;
}

export const ChunkChoice = z.looseObject({
  index: z.int(),
  finish_reason: z.string().nullable(),
  log_probs: LogProbs.nullish(),
  ...ending,
  delta: Delta,
});
export type ChunkChoice = z.infer<typeof ChunkChoice>;

/** What a choice says of its end beside `finish_reason`. */
export type Ending = Pick<ChunkChoice, keyof typeof ending>;

/** One piece of a streamed chat answer. */
export const ChatChunk = z.looseObject({
  id: z.string(),
  object: z.string(),
  created: z.int(),
  model: z.string(),
  choices: z.array(ChunkChoice),
  service_tier: z.string().nullish(),
  system_fingerprint: z.string().nullish(),
  usage: Usage.optional(),
  extra_fields: ExtraFields.optional(),
  ...extras,
});
export interface ChatChunk extends z.infer<typeof ChatChunk> {}
