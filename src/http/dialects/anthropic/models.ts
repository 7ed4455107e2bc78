import type { Model } from "../../../engine/api/models.ts";
import { GatewayError } from "../../../engine/errors.ts";
import { parserOf } from "../../../engine/pipeline/call/parse.ts";
import { type RequestHandler, toJson } from "../../context.ts";
import { findModel, listAll } from "../../find-model.ts";
import { parseQuery } from "../../request/query.ts";
import { type AnthropicModel, AnthropicModelQuery } from "./schema.ts";

const parse = parserOf(AnthropicModelQuery);

/** Models that the vendor lists when the caller sets no limit. */
const usualLimit = 20;

/** `GET /anthropic/v1/models`. */
export const answerModels: RequestHandler = async (request, context) => {
  const query = parse(parseQuery(request.request.query));
  return toJson(writePage(await listAll(request, context), query));
};

/** `GET /anthropic/v1/models/{model}`. */
export const answerModel: RequestHandler = async (request, context) =>
  toJson(writeModel(await findModel(request.params.model ?? "", request, context)));

/** One page of the list; `after_id` and `before_id` are ids of models of the list. */
function writePage(models: readonly Model[], query: AnthropicModelQuery): object {
  const { limit = usualLimit, after_id: after, before_id: before } = query;
  const first = after === undefined ? 0 : scopeOf(models, "after_id", after) + 1;
  const end = before === undefined ? models.length : scopeOf(models, "before_id", before);
  const start = before === undefined ? first : Math.max(first, end - limit);
  const page = models.slice(start, Math.min(end, start + limit)).map(writeModel);
  const hasMore = before === undefined ? start + page.length < end : start > first;
  return { data: page, has_more: hasMore, first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null };
}

function scopeOf(models: readonly Model[], param: string, id: string): number {
  const field = models.findIndex((model) => model.id === id);
  if (field !== -1) return field;
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

/** A time, in seconds since the epoch, as the vendor writes it; the epoch itself when the time is unknown. */
function toDate(seconds = 0): string {
  const date = new Date(seconds * 1_000);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}
