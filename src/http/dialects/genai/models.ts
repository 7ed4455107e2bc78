import type { Model, ModelListResponse } from "../../../engine/api/models.ts";
import { parserOf } from "../../../engine/pipeline/call/parse.ts";
import { callOptions, type RequestHandler, toJson } from "../../context.ts";
import { findModel } from "../../find-model.ts";
import { parseQuery } from "../../request/query.ts";
import { type GenaiModel, GenaiModelQuery } from "./schema.ts";

const parse = parserOf(GenaiModelQuery);
const origins = new Map([["page_token", "pageToken"]]);

/** `GET /genai/v1beta/models`. */
export const answerModels: RequestHandler = async (request, context) => {
  const { pageSize, pageToken } = parse(parseQuery(request.request.query));
  request.requestType = "list_models";
  request.origins = origins;
  const page = { page_size: pageSize, page_token: pageToken };
  return toJson(writePage(await context.engine.models(page, callOptions(request, context))));
};

/** `GET /genai/v1beta/models/{model}`. */
export const answerModel: RequestHandler = async (request, context) =>
  toJson(writeModel(await findModel(request.params.model ?? "", request, context)));

function writePage({ data, next_page_token: next }: ModelListResponse): object {
  return { models: data.map(writeModel), ...(next === undefined ? {} : { nextPageToken: next }) };
}

/** The vendor's words for what a model is asked for. */
const methodNames: Readonly<Record<string, string>> = {
  chat_completion: "generateContent",
  chat_completion_stream: "streamGenerateContent",
  embedding: "embedContent",
};

function writeModel(model: Model): GenaiModel {
  const { id, name = id, description, max_input_tokens, context_length, max_output_tokens, supported_methods } = model;
  const input = max_input_tokens ?? context_length;
  return {
    name: `models/${id}`,
    displayName: name,
    ...(description === undefined ? {} : { description }),
    ...(input === undefined ? {} : { inputTokenLimit: input }),
    ...(max_output_tokens === undefined ? {} : { outputTokenLimit: max_output_tokens }),
    supportedGenerationMethods: supported_methods?.map((method) => methodNames[method] ?? method) ?? [
      "generateContent",
    ],
  };
}
