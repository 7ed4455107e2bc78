import type { ChatRequest } from "../api/chat.ts";
import type { CallOptions, Engine } from "../engine.ts";
import { inference, inferenceSchemas } from "../operations/inference.ts";
import { describeOperations, type OpenApiDocument } from "../operations/openapi.ts";
import { readJson } from "./body.ts";
import { readCredentials } from "./credentials.ts";
import { type Endpoint, type Exchange, toFailureFrame } from "./endpoint.ts";
import { type HttpResponse, readHeader } from "./exchange.ts";
import { parseQuery } from "./query.ts";
import { eventStreamHeaders, toFrames } from "./sse.ts";

/** What the inference API is served from. */
export interface InferenceOptions {
  readonly engine: Engine;
  /** What virtual keys begin with, in any case; `sk-tg-` by default. */
  readonly keyPrefix?: string | undefined;
  /** Bytes of a request's body, before and after decompression; 100 MB by default. */
  readonly bodyLimit?: number | undefined;
}

type Source = { readonly [Name in keyof InferenceOptions]-?: NonNullable<InferenceOptions[Name]> };
type Answer = (exchange: Exchange, source: Source) => Promise<HttpResponse>;

/** The endpoints of the inference API. Bodies go to the engine as they were read: it checks them, once. */
export function inferenceEndpoints({ engine, keyPrefix, bodyLimit }: InferenceOptions): Endpoint[] {
  const source = { engine, keyPrefix: keyPrefix ?? "sk-tg-", bodyLimit: bodyLimit ?? 100_000_000 };
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
    return toJson(await source.engine.decide(await readRequest(exchange, source), callOptions(exchange, source)));
  },
  async health() {
    return toJson({ status: "ok" });
  },
  async document({ request }) {
    return toJson({ ...inferenceDocument(), servers: [{ url: request.prefix || "/" }] });
  },
} as const satisfies Record<keyof typeof inference, Answer>;

async function streamChat(request: ChatRequest, exchange: Exchange, source: Source): Promise<HttpResponse> {
  exchange.requestType = "chat_completion_stream";
  const chunks = await source.engine.streamChat(request, callOptions(exchange, source));
  const frames = toFrames(chunks, (thrown) => toFailureFrame(thrown, exchange));
  return { status: 200, headers: { ...eventStreamHeaders }, body: frames };
}

/** The body as the engine's request. The cast is the seam: the engine checks what it is given. */
async function readRequest(exchange: Exchange, { bodyLimit }: Source): Promise<never> {
  const body = await readJson(exchange.request, bodyLimit);
  if (typeof body === "object" && body !== null && "model" in body && typeof body.model === "string") {
    exchange.model = body.model;
  }
  return body as never;
}

function asksForStream(body: unknown): boolean {
  return typeof body === "object" && body !== null && "stream" in body && body.stream === true;
}

function callOptions({ request, eventId }: Exchange, { keyPrefix }: Source): CallOptions {
  const { headers, signal } = request;
  const key = readCredentials(headers, keyPrefix).virtualKey;
  const raw = readHeader(headers, "x-tg-raw")?.toLowerCase() === "true";
  const options: CallOptions & { readonly key: string | undefined } = { signal, eventId, raw, key };
  return options;
}

let document: OpenApiDocument | undefined;

function inferenceDocument(): OpenApiDocument {
  document ??= describeOperations({
    title: "Inference Gateway API",
    version: "1.0.0",
    table: inference,
    schemas: inferenceSchemas,
  });
  return document;
}

function toJson(value: unknown): HttpResponse {
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}
