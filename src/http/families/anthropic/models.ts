import type { Model } from "../../../api/models.ts";
import { GatewayError } from "../../../errors.ts";
import { parserOf } from "../../../pipeline/parse.ts";
import { findModel, listAll } from "../../models.ts";
import { parseQuery } from "../../query.ts";
import { type Answer, toJson } from "../../source.ts";
import { type AnthropicModel, AnthropicModelQuery } from "./schema.ts";

const parse = parserOf(AnthropicModelQuery);

/** What the vendor's list shows of models when it is not told how many. */
const usualLimit = 20;

/** `GET /anthropic/v1/models`. */
export const answerModels: Answer = async (exchange, source) => {
  const query = parse(parseQuery(exchange.request.query));
  return toJson(writePage(await listAll(exchange, source), query));
};

/** `GET /anthropic/v1/models/{model}`. */
export const answerModel: Answer = async (exchange, source) =>
  toJson(writeModel(await findModel(exchange.params.model ?? "", exchange, source)));

/** One page of the list; `after_id` and `before_id` are ids of models of the list. */
function writePage(models: readonly Model[], query: AnthropicModelQuery): object {
  const { limit = usualLimit, after_id: after, before_id: before } = query;
  const first = after === undefined ? 0 : placeOf(models, "after_id", after) + 1;
  const end = before === undefined ? models.length : placeOf(models, "before_id", before);
  const start = before === undefined ? first : Math.max(first, end - limit);
  const page = models.slice(start, Math.min(end, start + limit)).map(writeModel);
  const hasMore = before === undefined ? start + page.length < end : start > first;
  return { data: page, has_more: hasMore, first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null };
}

function placeOf(models: readonly Model[], param: string, id: string): number {
  const place = models.findIndex((model) => model.id === id);
  if (place !== -1) return place;
  throw new GatewayError("invalid_request", `\`${param}\` names no model of the list.`, { param });
}

function writeModel(model: Model): AnthropicModel {
  return {
    type: "model",
    id: model.id,
    display_name: model.name ?? model.id,
    created_at: toDate(model.created),
    max_input_tokens: model.max_input_tokens ?? model.context_length ?? null,
    max_tokens: model.max_output_tokens ?? null,
    capabilities: null,
    deprecated_at: null,
    retires_at: null,
    lifecycle: "active",
    line: null,
  };
}

/** Seconds since the epoch as the vendor writes a time; the epoch itself where nobody knows. */
function toDate(seconds = 0): string {
  const date = new Date(seconds * 1_000);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}
