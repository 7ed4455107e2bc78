import { op } from "../../../operations/define.ts";
import * as schema from "./schema.ts";

const content = { in: schema.GenaiRequest, out: schema.GenaiResponse };

/** The rows of Google's Gemini API. */
export const rows = {
  genai_generate: op(
    "POST /genai/v1beta/models/{+model}:generateContent",
    "virtual_key",
    "Generate content, as the Gemini API does",
    content,
  ),
  genai_stream: op(
    "POST /genai/v1beta/models/{+model}:streamGenerateContent",
    "virtual_key",
    "Generate content piece by piece, as the Gemini API does",
    { ...content, stream: schema.GenaiResponse },
  ),
  genai_count_tokens: op(
    "POST /genai/v1beta/models/{+model}:countTokens",
    "virtual_key",
    "Count the tokens of contents, as the Gemini API does",
    { in: schema.GenaiRequest.partial(), out: schema.GenaiTokenCount },
  ),
  genai_embed: op(
    "POST /genai/v1beta/models/{+model}:embedContent",
    "virtual_key",
    "Create one embedding vector, as the Gemini API does",
    { in: schema.GenaiEmbedRequest, out: schema.GenaiEmbedResponse },
  ),
  genai_batch_embed: op(
    "POST /genai/v1beta/models/{+model}:batchEmbedContents",
    "virtual_key",
    "Create embedding vectors, as the Gemini API does",
    { in: schema.GenaiBatchEmbedRequest, out: schema.GenaiBatchEmbedResponse },
  ),
  genai_models: op("GET /genai/v1beta/models", "virtual_key", "List models, as the Gemini API does", {
    in: schema.GenaiModelQuery,
    out: schema.GenaiModelList,
  }),
  genai_model: op("GET /genai/v1beta/models/{+model}", "virtual_key", "Read a model, as the Gemini API does", {
    out: schema.GenaiModel,
  }),
};
