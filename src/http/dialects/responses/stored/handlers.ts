import { GatewayError } from "../../../../engine/errors.ts";
import { parserOf } from "../../../../engine/pipeline/call/parse.ts";
import { callOptions, type RequestHandler, toJson } from "../../../context.ts";
import { parseQuery } from "../../../request/query.ts";
import type { RequestContext } from "../../../response/request-context.ts";
import { InputItemQuery, StoredResponseQuery } from "./schema.ts";

const readStoredQuery = parserOf(StoredResponseQuery);
const readItemQuery = parserOf(InputItemQuery);

/** `GET /v1/responses/{id}`, for the key that made the response. */
const retrieve: RequestHandler = async (request, context) => {
  const options = callOptions(request, context);
  const { stream, starting_after: from, ...query } = readStoredQuery(queryOf(request));
  if (stream === "true") throw notStreamed("stream");
  if (from !== undefined) throw notStreamed("starting_after");
  return toJson(await context.engine.storedResponses.retrieve(idOf(request), query, options));
};

/** `DELETE /v1/responses/{id}`. */
const remove: RequestHandler = async (request, context) =>
  toJson(await context.engine.storedResponses.delete(idOf(request), callOptions(request, context)));

/** `POST /v1/responses/{id}/cancel`: ends a response in the background. */
const cancel: RequestHandler = async (request, context) =>
  toJson(await context.engine.storedResponses.cancel(idOf(request), callOptions(request, context)));

/** `GET /v1/responses/{id}/input_items`. */
const inputItems: RequestHandler = async (request, context) => {
  const options = callOptions(request, context);
  const query = readItemQuery(queryOf(request));
  return toJson(await context.engine.storedResponses.inputItems(idOf(request), query, options));
};

function idOf({ params }: RequestContext): string {
  return params.id ?? "";
}

/** The query with lists by either of the names that clients write: `include` and `include[]`. */
function queryOf({ request }: RequestContext): Record<string, unknown> {
  const { "include[]": bracketed, include = bracketed, ...rest } = parseQuery(request.query);
  return { ...rest, ...(include === undefined ? {} : { include: [include].flat() }) };
}

function notStreamed(param: string): GatewayError {
  const message = `\`${param}\` of a stored response is not offered: read it as a whole, without \`${param}\`.`;
  return new GatewayError("unsupported_operation", message, { param });
}

/** What is asked of a response by its id. */
export const storedHandlers = { retrieve, remove, cancel, inputItems } satisfies Record<string, RequestHandler>;
