import type { ChatRequest } from "../../api/chat.ts";
import { GatewayError } from "../../errors.ts";
import { inference } from "../../operations/inference.ts";
import { callOptions, type HttpContext, type RequestHandler, readInput, readKey, toJson } from "../context.ts";
import { findModel } from "../find-model.ts";
import type { HttpResponse } from "../message.ts";
import { parseQuery } from "../request/query.ts";
import { streamOf } from "../response/chunk-stream.ts";
import { writeModel } from "../response/model-members.ts";
import { withOpenaiNames } from "../response/openai-names.ts";
import type { Endpoint, RequestContext } from "../response/request-context.ts";

/** The endpoints of the inference API. Bodies go to the engine as they were read: it checks them, once. */
export function inferenceEndpoints(context: HttpContext): Endpoint[] {
  return Object.entries(answers).map(([name, answer]) => ({
    operation: inference[name as keyof typeof answers],
    answer: (request) => answer(request, context),
  }));
}

const answers = {
  async models(requestContext, context) {
    requestContext.requestType = "list_models";
    const request = parseQuery(requestContext.request.query);
    const { data, ...page } = await context.engine.models(request as never, callOptions(requestContext, context));
    return toJson({ object: "list", data: data.map(writeModel), ...page });
  },
  model: async (request, context) => toJson(writeModel(await findModel(request.params.model ?? "", request, context))),
  async chat(requestContext, context) {
    requestContext.requestType = "chat_completion";
    const request = await readRequest(requestContext, context);
    if (asksForStream(request)) return streamChat(request, requestContext, context);
    return toJson(withOpenaiNames(await context.engine.chat(request, callOptions(requestContext, context))));
  },
  async embed(request, context) {
    request.requestType = "embedding";
    const answer = await context.engine.embed(await readRequest(request, context), callOptions(request, context));
    return toJson({ id: request.eventId, ...answer }); // Mistral's client requires one
  },
  async rerank(request, context) {
    request.requestType = "rerank";
    return toJson(await context.engine.rerank(await readRequest(request, context), callOptions(request, context)));
  },
  async decide(requestContext, context) {
    requestContext.requestType = "decision";
    const request = (await readInput(requestContext, context)) as never;
    return toJson(await context.engine.decide(request, callOptions(requestContext, context)));
  },
  async forget(request, context) {
    const { cache_id: cacheId = "" } = request.params;
    const { cache } = context.engine;
    const scope = await cache.scopeOf(readKey(request, context));
    if (scope !== undefined && (await cache.delete(cacheId, scope))) return { status: 204, headers: {}, body: "" };
    throw new GatewayError("not_found", "No such answer is kept for you.", { param: "cache_id" });
  },
  async forget_all(request, context) {
    const { cache } = context.engine;
    const scope = await cache.scopeOf(readKey(request, context));
    return toJson({ deleted: scope === undefined ? 0 : await cache.clear(scope) });
  },
  async health(_exchange, { engine }) {
    if (engine.isDraining) throw new GatewayError("shutting_down", "The gateway is draining.");
    return toJson({ status: "ok" });
  },
  async document({ request }, context) {
    // Loaded at the first request: few programs serve their description.
    const { describeApi } = await import("../docs/openapi-document.ts");
    return toJson({ ...describeApi(context), servers: [{ url: request.prefix || "/" }] });
  },
} as const satisfies Record<keyof typeof inference, RequestHandler>;

function streamChat(request: ChatRequest, requestContext: RequestContext, context: HttpContext): Promise<HttpResponse> {
  requestContext.requestType = "chat_completion_stream";
  const asked = context.engine.streamChat(request, callOptions(requestContext, context));
  return streamOf(asked, requestContext, context.keepAlive);
}

/** The body as the engine's request. The cast is the seam: the engine checks what it is given. */
function readRequest(request: RequestContext, context: HttpContext): Promise<never> {
  return readInput(request, context) as Promise<never>;
}

function asksForStream(body: unknown): boolean {
  return typeof body === "object" && body !== null && "stream" in body && body.stream === true;
}
