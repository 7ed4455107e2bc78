import { z } from "zod";
import { type Operation, op } from "../../../operations/define.ts";
import { routes, toVersion1, withStable } from "./routes.ts";
import * as schema from "./schema.ts";

const failure = schema.GenaiFailure;
const content = { in: schema.GenaiRequest, out: schema.GenaiResponse, failure };
const pieces = {
  ...content,
  query: schema.GenaiStreamQuery.shape,
  out: z.array(schema.GenaiResponse),
  stream: schema.GenaiResponse,
};
const vector = { in: schema.GenaiEmbedRequest, out: schema.GenaiEmbedResponse, failure };
const vectors = { in: schema.GenaiBatchEmbedRequest, out: schema.GenaiBatchEmbedResponse, failure };

const newest = {
  genai_generate: op(routes.genai_generate, "virtual_key", "Generate content, as the Gemini API does", content),
  genai_stream: op(
    routes.genai_stream,
    "virtual_key",
    "Generate content piece by piece, as the Gemini API does",
    pieces,
  ),
  genai_count_tokens: op(
    routes.genai_count_tokens,
    "virtual_key",
    "Count the tokens of contents, as the Gemini API does",
    { in: schema.GenaiRequest.partial(), out: schema.GenaiTokenCount, failure },
  ),
  genai_embed: op(routes.genai_embed, "virtual_key", "Create one embedding vector, as the Gemini API does", vector),
  genai_batch_embed: op(
    routes.genai_batch_embed,
    "virtual_key",
    "Create embedding vectors, as the Gemini API does",
    vectors,
  ),
  genai_generate_named: op(
    routes.genai_generate_named,
    "virtual_key",
    "Generate content, the model by its name",
    content,
  ),
  genai_stream_named: op(
    routes.genai_stream_named,
    "virtual_key",
    "Generate content piece by piece, the model by its name",
    pieces,
  ),
  genai_embed_named: op(
    routes.genai_embed_named,
    "virtual_key",
    "Create one embedding vector, the model by its name",
    vector,
  ),
  genai_batch_embed_named: op(
    routes.genai_batch_embed_named,
    "virtual_key",
    "Create embedding vectors, the model by its name",
    vectors,
  ),
  genai_models: op(routes.genai_models, "virtual_key", "List models, as the Gemini API does", {
    in: schema.GenaiModelQuery,
    out: schema.GenaiModelList,
    failure,
  }),
  genai_model: op(routes.genai_model, "virtual_key", "Read a model, as the Gemini API does", {
    out: schema.GenaiModel,
    failure,
  }),
} satisfies Record<keyof typeof routes, Operation>;

/** The rows of Google's Gemini API. */
export const rows = withStable<Operation>(newest, (row) => ({ ...row, path: toVersion1(row.path) }));
