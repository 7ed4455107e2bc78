import type { Model, ModelListResponse } from "../../../api/models.ts";
import { parserOf } from "../../../pipeline/parse.ts";
import { findModel } from "../../models.ts";
import { parseQuery } from "../../query.ts";
import { type Answer, callOptions, toJson } from "../../source.ts";
import { type GenaiModel, GenaiModelQuery } from "./schema.ts";

const parse = parserOf(GenaiModelQuery);
const origins = new Map([["page_token", "pageToken"]]);

/** `GET /genai/v1beta/models`. */
export const answerModels: Answer = async (exchange, source) => {
  const { pageSize, pageToken } = parse(parseQuery(exchange.request.query));
  exchange.requestType = "list_models";
  exchange.origins = origins;
  const page = { page_size: pageSize, page_token: pageToken };
  return toJson(writePage(await source.engine.models(page, callOptions(exchange, source))));
};

/** `GET /genai/v1beta/models/{model}`. */
export const answerModel: Answer = async (exchange, source) =>
  toJson(writeModel(await findModel(exchange.params.model ?? "", exchange, source)));

function writePage({ data, next_page_token: next }: ModelListResponse): object {
  return { models: data.map(writeModel), ...(next === undefined ? {} : { nextPageToken: next }) };
}

function writeModel(model: Model): GenaiModel {
  const { id, name = id, description, max_input_tokens, context_length, max_output_tokens, supported_methods } = model;
  const input = max_input_tokens ?? context_length;
  return {
    name: `models/${id}`,
    displayName: name,
    ...(description === undefined ? {} : { description }),
    ...(input === undefined ? {} : { inputTokenLimit: input }),
    ...(max_output_tokens === undefined ? {} : { outputTokenLimit: max_output_tokens }),
    supportedGenerationMethods: supported_methods ?? ["generateContent"],
  };
}
