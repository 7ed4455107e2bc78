import { GatewayError } from "../../engine/errors.ts";
import { inference } from "../../operations/inference.ts";
import { callOptions, type HttpContext, type RequestHandler, readInput, readKey, toJson } from "../context.ts";
import { findModel } from "../find-model.ts";
import { parseQuery } from "../request/query.ts";
import { withDecisionUsage } from "../response/decision-usage.ts";
import { writeModel } from "../response/model-members.ts";
import type { Endpoint, RequestContext } from "../response/request-context.ts";
import { answerChat } from "./chat.ts";

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
  chat: answerChat,
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
    return toJson(withDecisionUsage(await context.engine.decide(request, callOptions(requestContext, context))));
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
    if (engine.isLeaving) throw new GatewayError("shutting_down", "The gateway is draining.");
    return toJson({ status: "ok" });
  },
  async health_live() {
    return toJson({ status: "ok" });
  },
  async health_ready(_exchange, { engine }) {
    const readiness = await engine.readiness();
    return { ...toJson(readiness), status: readiness.status === "ready" ? 200 : 503 };
  },
  async document({ request }, context) {
    // Loaded at the first request: few programs serve their description.
    const { describeApi, withServers } = await import("../docs/openapi-document.ts");
    const { sendWhole } = await import("../encoding/compress.ts");
    return sendWhole(toJson(withServers(describeApi(context), { ...context, prefix: request.prefix })), request);
  },
} as const satisfies Record<keyof typeof inference, RequestHandler>;

/** The body as the engine's request. The cast is the seam: the engine checks what it is given. */
function readRequest(request: RequestContext, context: HttpContext): Promise<never> {
  return readInput(request, context) as Promise<never>;
}
