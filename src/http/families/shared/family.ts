import type { ChatChunk, ChatRequest, ChatResponse } from "../../../api/chat.ts";
import type { ExtraFields } from "../../../api/common.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../../../api/embeddings.ts";
import type { RerankRequest, RerankResponse } from "../../../api/rerank.ts";
import type { GatewayError } from "../../../errors.ts";
import type { Route } from "../../../operations/define.ts";
import { type Exchange, readFailure } from "../../endpoint.ts";
import type { FailedRequest } from "../../errors.ts";
import type { HttpResponse } from "../../exchange.ts";
import { type Answer, callOptions, type Source, toJson } from "../../source.ts";
import { eventStreamHeaders, type FrameWriter, toFrames } from "../../sse.ts";
import { type Notes, warningHeaders } from "./notes.ts";

/** A vendor's interface over the engine's verbs. */
export interface Family {
  /** What the paths of the family begin with, e.g. `/anthropic/`. */
  readonly prefix: string;
  /** Where its operations are; their rows are only loaded to be described. */
  readonly routes: Readonly<Record<string, Route>>;
  /** Loads how the operations are answered: one answer for each, by its name. */
  load(): Promise<{ readonly answers: Readonly<Record<string, Answer>> }>;
  /** An error in the vendor's shape; ours where it is left out. */
  readonly refuse?: Refuse;
}

export type Refuse = (error: GatewayError, failed: FailedRequest) => HttpResponse;

/** Writes one streamed answer in a vendor's dialect. */
export interface ChunkWriter {
  /** The text of one chunk; empty when the dialect has nothing to say of it. */
  write(chunk: ChatChunk): string;
  /** What ends a complete answer. */
  end(): string;
  /** The vendor's error, which ends a broken one. */
  fail(error: GatewayError, eventId: string): string;
}

/** A chat request that came in a vendor's dialect, and how its answer goes back. */
export interface ChatTurn {
  readonly request: ChatRequest;
  readonly isStream: boolean;
  readonly notes: Notes;
  /** The whole answer as the vendor has it. */
  whole(answer: ChatResponse): unknown;
  stream(): ChunkWriter;
  /** Where the stream is none of events. */
  readonly carrier?: { readonly contentType: string; readonly filler: string };
}

/** Answers a chat request through the engine, whole or streamed; warnings are in the header `x-tg-warnings`. */
export async function answerChat(turn: ChatTurn, exchange: Exchange, source: Source): Promise<HttpResponse> {
  const { request, notes } = turn;
  exchange.requestType = turn.isStream ? "chat_completion_stream" : "chat_completion";
  exchange.origins = notes.origins;
  if (turn.isStream) return answerStream(turn, exchange, source);
  const answer = await source.engine.chat(request, callOptions(exchange, source));
  const body = turn.whole(answer);
  return toJson(body, headersOf(notes, answer.extra_fields));
}

/** A request for vectors or ranks that came in a vendor's dialect, and how its answer goes back. */
export interface Turn<Request, Response> {
  readonly request: Request;
  readonly notes: Notes;
  write(answer: Response): unknown;
}

/** Answers a request for vectors through the engine; warnings are in the header `x-tg-warnings`. */
export async function answerEmbed(
  { request, notes, write }: Turn<EmbeddingRequest, EmbeddingResponse>,
  exchange: Exchange,
  source: Source,
): Promise<HttpResponse> {
  exchange.requestType = "embedding";
  exchange.origins = notes.origins;
  const answer = await source.engine.embed(request, callOptions(exchange, source));
  return toJson(write(answer), headersOf(notes, answer.extra_fields));
}

/** Answers a request for ranks through the engine; warnings are in the header `x-tg-warnings`. */
export async function answerRerank(
  { request, notes, write }: Turn<RerankRequest, RerankResponse>,
  exchange: Exchange,
  source: Source,
): Promise<HttpResponse> {
  exchange.requestType = "rerank";
  exchange.origins = notes.origins;
  const answer = await source.engine.rerank(request, callOptions(exchange, source));
  return toJson(write(answer), headersOf(notes, answer.extra_fields));
}

/** A request to count a prompt that came in a vendor's dialect, and how its answer goes back. */
export type CountTurn = Turn<ChatRequest, number>;

/** Counts the tokens of a prompt through the engine; a count that is an estimate says so in the header `x-tg-warnings`. */
export async function answerCount(
  { request, notes, write }: CountTurn,
  exchange: Exchange,
  source: Source,
): Promise<HttpResponse> {
  exchange.requestType = "chat_completion";
  exchange.origins = notes.origins;
  const { input_tokens, is_estimate, warnings } = await source.engine.countTokens(
    request,
    callOptions(exchange, source),
  );
  const estimated = is_estimate ? ["the count is an estimate: the provider has no such question"] : [];
  return toJson(write(input_tokens), warningHeaders(notes, [...warnings, ...estimated]));
}

function headersOf(notes: Notes, extra: ExtraFields | undefined): Record<string, string> {
  return warningHeaders(notes, extra?.warnings ?? []);
}

/** The first chunk is read before the answer begins: its warnings still find room in a header. */
async function answerStream(turn: ChatTurn, exchange: Exchange, source: Source): Promise<HttpResponse> {
  const { request, notes, carrier } = turn;
  const chunks = await source.engine.streamChat(request, callOptions(exchange, source));
  const rest = chunks[Symbol.asyncIterator]();
  const first = await rest.next();
  const headers = {
    ...eventStreamHeaders,
    ...(carrier === undefined ? {} : { "content-type": carrier.contentType }),
    ...headersOf(notes, first.done ? undefined : first.value.extra_fields),
  };
  const body = toFrames(resume(first, rest), writerOf(turn.stream(), exchange));
  return { status: 200, headers, body, ...(carrier === undefined ? {} : { filler: carrier.filler }) };
}

function writerOf(writer: ChunkWriter, exchange: Exchange): FrameWriter<ChatChunk> {
  return {
    write: (chunk) => writer.write(chunk),
    end: () => writer.end(),
    fail: (thrown) => writer.fail(readFailure(thrown, exchange), exchange.eventId),
  };
}

/** An iteration whose first step was already taken. */
function resume<Value>(first: IteratorResult<Value>, rest: AsyncIterator<Value>): AsyncIterable<Value> {
  let held: IteratorResult<Value> | undefined = first;
  const iterator: AsyncIterator<Value> = {
    next() {
      if (held === undefined) return rest.next();
      const step = held;
      held = undefined;
      return Promise.resolve(step);
    },
    async return() {
      await rest.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
