import { z } from "zod";
import { ChatRequest } from "../../../engine/api/chat.ts";
import { Fallbacks } from "../../../engine/api/common.ts";

/** Content inline, in base64. */
const Blob = z.looseObject({ mimeType: z.string(), data: z.string() });

/** Content elsewhere. */
const Distant = z.looseObject({ mimeType: z.string().optional(), fileUri: z.string() });

/** One part of a content. What it is is said by which of its fields is there. */
export const GenaiPart = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  inlineData: Blob.optional(),
  fileData: Distant.optional(),
  functionCall: z
    .looseObject({
      id: z.string().optional(),
      name: z.string(),
      args: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  functionResponse: z
    .looseObject({
      id: z.string().optional(),
      name: z.string(),
      response: z.record(z.string(), z.unknown()).optional(),
      parts: z.array(z.looseObject({ inlineData: Blob.optional(), fileData: Distant.optional() })).optional(),
    })
    .optional(),
});
export type GenaiPart = z.infer<typeof GenaiPart>;

/** Content to generate from or to embed; its role is ignored. */
export const GenaiContent = z.looseObject({
  role: z.string().optional(),
  parts: z.array(GenaiPart).optional(),
});
export type GenaiContent = z.infer<typeof GenaiContent>;

/** One turn; without a role it is the user's. `function` and `tool` are older names for the user who brings results. */
export const GenaiTurn = GenaiContent.extend({
  role: z.enum(["user", "model", "function", "tool"], { error: "must be user or model" }).optional(),
});
export type GenaiTurn = z.infer<typeof GenaiTurn>;

export const GenaiFunction = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  /** The vendor's own form of a schema, with types in capitals. */
  parameters: z.record(z.string(), z.unknown()).optional(),
  parametersJsonSchema: z.record(z.string(), z.unknown()).optional(),
});
export type GenaiFunction = z.infer<typeof GenaiFunction>;

export const GenaiTool = z.looseObject({ functionDeclarations: z.array(GenaiFunction).optional() });
export type GenaiTool = z.infer<typeof GenaiTool>;

const { temperature, top_p, presence_penalty, frequency_penalty, seed, top_logprobs } = ChatRequest.shape;

export const GenaiConfig = z.looseObject({
  temperature,
  topP: top_p,
  topK: z.number().optional(),
  candidateCount: z.int().min(1).optional(),
  maxOutputTokens: ChatRequest.shape.max_completion_tokens,
  stopSequences: z.array(z.string()).optional(),
  seed,
  presencePenalty: presence_penalty,
  frequencyPenalty: frequency_penalty,
  responseMimeType: z.string().optional(),
  responseSchema: z.record(z.string(), z.unknown()).optional(),
  responseJsonSchema: z.record(z.string(), z.unknown()).optional(),
  responseLogprobs: z.boolean().optional(),
  logprobs: top_logprobs,
  responseModalities: z.array(z.string()).optional(),
  thinkingConfig: z
    .looseObject({
      includeThoughts: z.boolean().optional(),
      thinkingBudget: z.int().optional(),
      thinkingLevel: z.string().optional(),
    })
    .optional(),
});
export type GenaiConfig = z.infer<typeof GenaiConfig>;

/** Body of `generateContent` and `streamGenerateContent`; the model is in the path. Names may be sent in snake_case as well. */
export const GenaiRequest = z.looseObject({
  contents: z.array(GenaiTurn),
  systemInstruction: GenaiContent.optional(),
  tools: z.array(GenaiTool).optional(),
  toolConfig: z
    .looseObject({
      functionCallingConfig: z
        .looseObject({ mode: z.string().optional(), allowedFunctionNames: z.array(z.string()).optional() })
        .optional(),
    })
    .optional(),
  generationConfig: GenaiConfig.optional(),
  serviceTier: z.string().optional(),
  fallbacks: Fallbacks.optional(),
});
export type GenaiRequest = z.infer<typeof GenaiRequest>;

/** A whole answer, or one piece of a streamed one. */
export const GenaiResponse = z.looseObject({
  candidates: z.array(
    z.looseObject({
      index: z.int(),
      content: z.looseObject({ role: z.literal("model"), parts: z.array(GenaiPart) }).optional(),
      finishReason: z.string().optional(),
    }),
  ),
  usageMetadata: z.looseObject({ totalTokenCount: z.int() }).optional(),
  modelVersion: z.string(),
  responseId: z.string(),
});
export type GenaiResponse = z.infer<typeof GenaiResponse>;

/** The body of every failure. */
export const GenaiFailure = z.looseObject({
  error: z.looseObject({
    code: z.int(),
    message: z.string(),
    status: z.string(),
    details: z.array(z.looseObject({ "@type": z.string() })),
  }),
});

/** Query of `streamGenerateContent`: without `alt=sse` the answer is a list of pieces. */
export const GenaiStreamQuery = z.looseObject({ alt: z.enum(["json", "sse"]).optional() });

export const GenaiTokenCount = z.looseObject({ totalTokens: z.int().nonnegative() });

/** Body of `embedContent`. */
export const GenaiEmbedRequest = z.looseObject({
  model: z.string().optional(),
  content: GenaiContent,
  outputDimensionality: z.int().min(1).optional(),
  taskType: z.string().optional(),
  fallbacks: Fallbacks.optional(),
});
export type GenaiEmbedRequest = z.infer<typeof GenaiEmbedRequest>;

/** Body of `batchEmbedContents`. */
export const GenaiBatchEmbedRequest = z.looseObject({
  requests: z.array(GenaiEmbedRequest).min(1),
  fallbacks: Fallbacks.optional(),
});
export type GenaiBatchEmbedRequest = z.infer<typeof GenaiBatchEmbedRequest>;

const ContentEmbedding = z.looseObject({ values: z.array(z.number()) });

export const GenaiEmbedResponse = z.looseObject({ embedding: ContentEmbedding });

export const GenaiBatchEmbedResponse = z.looseObject({ embeddings: z.array(ContentEmbedding) });

/** Query of `GET /genai/v1beta/models`. */
export const GenaiModelQuery = z.looseObject({
  pageSize: z.coerce.number().int().nonnegative().optional(),
  pageToken: z.string().optional(),
});

export const GenaiModel = z.looseObject({
  name: z.string(),
  displayName: z.string(),
  supportedGenerationMethods: z.array(z.string()),
});
export type GenaiModel = z.infer<typeof GenaiModel>;

export const GenaiModelList = z.looseObject({ models: z.array(GenaiModel), nextPageToken: z.string().optional() });
