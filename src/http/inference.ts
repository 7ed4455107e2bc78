import type { ChatRequest } from "../api/chat.ts";
import { GatewayError } from "../errors.ts";
import { inference } from "../operations/inference.ts";
import { streamOf } from "./chunk-stream.ts";
import { findDuplicate } from "./duplicates.ts";
import type { Endpoint, Exchange } from "./endpoint.ts";
import type { HttpResponse } from "./exchange.ts";
import { findModel } from "./models.ts";
import { parseQuery } from "./query.ts";
import { type Answer, callOptions, readInput, readKey, type Source, toJson } from "./source.ts";

/** The endpoints of the inference API. Bodies go to the engine as they were read: it checks them, once. */
export function inferenceEndpoints(source: Source): Endpoint[] {
  return Object.entries(answers).map(([name, answer]) => ({
    operation: inference[name as keyof typeof answers],
    answer: (exchange) => answer(exchange, source),
  }));
}

const answers = {
  async models(exchange, source) {
    exchange.requestType = "list_models";
    const request = parseQuery(exchange.request.query);
    return toJson(await source.engine.models(request as never, callOptions(exchange, source)));
  },
  model: async (exchange, source) => toJson(await findModel(exchange.params.model ?? "", exchange, source)),
  async chat(exchange, source) {
    exchange.requestType = "chat_completion";
    const request = await readRequest(exchange, source);
    if (asksForStream(request)) return streamChat(request, exchange, source);
    return toJson(await source.engine.chat(request, callOptions(exchange, source)));
  },
  async embed(exchange, source) {
    exchange.requestType = "embedding";
    return toJson(await source.engine.embed(await readRequest(exchange, source), callOptions(exchange, source)));
  },
  async rerank(exchange, source) {
    exchange.requestType = "rerank";
    return toJson(await source.engine.rerank(await readRequest(exchange, source), callOptions(exchange, source)));
  },
  async decide(exchange, source) {
    exchange.requestType = "decision";
    const request = (await readInput(exchange, source, refuseDuplicates)) as never;
    return toJson(await source.engine.decide(request, callOptions(exchange, source)));
  },
  async forget(exchange, source) {
    const { cache_id: cacheId = "" } = exchange.params;
    const { cache } = source.engine;
    const scope = await cache.scopeOf(readKey(exchange, source));
    if (scope !== undefined && (await cache.delete(cacheId, scope))) return { status: 204, headers: {}, body: "" };
    throw new GatewayError("not_found", "No such answer is kept for you.", { param: "cache_id" });
  },
  async forget_all(exchange, source) {
    const { cache } = source.engine;
    const scope = await cache.scopeOf(readKey(exchange, source));
    return toJson({ deleted: scope === undefined ? 0 : await cache.clear(scope) });
  },
  async health(_exchange, { engine }) {
    if (engine.isDraining) throw new GatewayError("shutting_down", "The gateway is draining.");
    return toJson({ status: "ok" });
  },
  async document({ request }, source) {
    // Loaded when it is asked for: few programs describe themselves.
    const { describeApi } = await import("./document.ts");
    return toJson({ ...describeApi(source), servers: [{ url: request.prefix || "/" }] });
  },
} as const satisfies Record<keyof typeof inference, Answer>;

async function streamChat(request: ChatRequest, exchange: Exchange, source: Source): Promise<HttpResponse> {
  exchange.requestType = "chat_completion_stream";
  const chunks = await source.engine.streamChat(request, callOptions(exchange, source));
  return streamOf(chunks, exchange);
}

/** The body as the engine's request. The cast is the seam: the engine checks what it is given. */
function readRequest(exchange: Exchange, source: Source): Promise<never> {
  return readInput(exchange, source) as Promise<never>;
}

/** Names of questions and options must differ, and a parser keeps the last of two in silence. */
function refuseDuplicates(text: string): void {
  const param = findDuplicate(text, ([first, , third, ...rest]) => {
    return first === "questions" && rest.length === 0 && (third === undefined || third === "criteria");
  });
  if (param !== undefined) throw new GatewayError("invalid_request", `\`${param}\`: is there twice.`, { param });
}

function asksForStream(body: unknown): boolean {
  return typeof body === "object" && body !== null && "stream" in body && body.stream === true;
}
