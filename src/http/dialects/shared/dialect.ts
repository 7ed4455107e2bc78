import type { ChatChunk, ChatRequest, ChatResponse } from "../../../engine/api/chat.ts";
import type { ExtraFields } from "../../../engine/api/common.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../../../engine/api/embeddings.ts";
import type { RerankRequest, RerankResponse } from "../../../engine/api/rerank.ts";
import { eventsOf, responseOf } from "../../../engine/dialects/openai/native-response.ts";
import type { CallOptions, CoreEngine } from "../../../engine/engine.ts";
import type { GatewayError } from "../../../engine/errors.ts";
import type { ResponsesRequest } from "../../../engine/ports/provider.ts";
import type { RoutePattern } from "../../../operations/define.ts";
import { callOptions, type HttpContext, type RequestHandler, toJson } from "../../context.ts";
import type { HttpResponse } from "../../message.ts";
import type { FailedRequest } from "../../response/errors.ts";
import { lateChunks, precededBy, withinInterval } from "../../response/late-stream.ts";
import { type RequestContext, readFailure } from "../../response/request-context.ts";
import { eventStreamHeaders, type FrameWriter, keepAliveFrame, toFrames } from "../../response/sse.ts";
import { openRunChats } from "../../tool-runs/open-run-chats.ts";
import { type Notes, warningHeaders } from "./translation-warnings.ts";

/** A vendor's interface over the engine's operations. */
export interface VendorDialect<Name extends string = string> {
  /** The prefix of its paths, e.g. `/anthropic/`. */
  readonly prefix: string;
  /** The provider that a model name without one belongs to; absent where the dialect serves every provider alike. */
  readonly vendor?: string;
  /** Method and path of each operation. Their rows, with schemas, are loaded only to be described. */
  readonly routes: Readonly<Record<Name, RoutePattern>>;
  /** Loads the handlers, one for each operation, by its name. */
  load(): Promise<{ readonly handlers: Readonly<Record<Name, RequestHandler>> }>;
  /** Writes an error in the vendor's shape; absent where errors have ours. */
  readonly refuse?: Refuse;
}

export type Refuse = (error: GatewayError, failed: FailedRequest) => HttpResponse;

/** Writes one streamed answer in a vendor's dialect. */
export interface ChunkWriter {
  /** The text of one chunk; empty when the dialect has no event for it. */
  write(chunk: ChatChunk): string;
  /**
   * What a caller who waits is sent at each interval; a comment of an event stream unless given. Where no chunk has come yet, the answer
   * is the one that `opening` names.
   */
  wait?(opening: AnswerOpening): string;
  /** What ends a complete answer. */
  end(): string;
  /** The vendor's error, which ends a broken one. */
  fail(error: GatewayError, eventId: string): string;
}

/** An answer that begins before its first chunk is there. */
export interface AnswerOpening {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  /** As the caller names it. */
  readonly model: string;
}

/** A chat request that came in a vendor's dialect, and how its answer goes back. */
export interface ChatTurn {
  readonly request: ChatRequest;
  readonly isStream: boolean;
  readonly notes: Notes;
  /** The request as it was sent, where it may have tools of MCP servers, which the gateway runs. */
  readonly body?: unknown;
  /** Of OpenAI's Responses API: the request as it was sent, for providers of the same interface. */
  readonly responses?: ResponsesRequest;
  /** The whole answer as the vendor has it. */
  whole(answer: ChatResponse): unknown;
  stream(): ChunkWriter;
  /** For a stream that does not consist of server-sent events. */
  readonly carrier?: { readonly contentType: string; readonly filler: () => string };
}

/** Answers a chat request through the engine, whole or streamed; warnings are in the header `x-tg-warnings`. */
export async function answerChat(
  turn: ChatTurn,
  requestContext: RequestContext,
  context: HttpContext,
): Promise<HttpResponse> {
  const { request, notes } = turn;
  requestContext.requestType = turn.isStream ? "chat_completion_stream" : "chat_completion";
  requestContext.origins = notes.origins;
  const run = turn.body === undefined ? undefined : await openRunChats(context.engine, turn.body);
  for (const [field, origin] of run?.origins ?? []) notes.origins.set(field, origin);
  const chats = run ?? context.engine;
  if (turn.isStream) return answerStream({ ...turn, chats }, requestContext, context);
  const options = { ...callOptions(requestContext, context), responses: turn.responses };
  const isBackground = turn.responses?.isBackground === true;
  const answer = await (isBackground ? untilQueued : untilDone)(chats, request, options);
  const body = turn.whole(answer);
  return toJson(body, headersOf(notesOf(turn, responseOf(answer)), answer.extra_fields));
}

type AskChat = (chats: Pick<CoreEngine, "chat">, request: ChatRequest, options: CallOptions) => Promise<ChatResponse>;

const untilDone: AskChat = (chats, request, options) => chats.chat(request, options);

/** Resolves as soon as the vendor has queued a request in the background, which then goes on. */
const untilQueued: AskChat = (chats, request, options) =>
  new Promise((resolve, reject) => {
    chats.chat(request, { ...options, onQueued: resolve }).then(resolve, reject);
  });

/** A request for vectors or ranks that came in a vendor's dialect, and how its answer goes back. */
export interface DialectTurn<Request, Response> {
  readonly request: Request;
  readonly notes: Notes;
  write(answer: Response): unknown;
}

/** Answers a request for vectors through the engine; warnings are in the header `x-tg-warnings`. */
export async function answerEmbed(
  { request, notes, write }: DialectTurn<EmbeddingRequest, EmbeddingResponse>,
  requestContext: RequestContext,
  context: HttpContext,
): Promise<HttpResponse> {
  requestContext.requestType = "embedding";
  requestContext.origins = notes.origins;
  const answer = await context.engine.embed(request, callOptions(requestContext, context));
  return toJson(write(answer), headersOf(notes, answer.extra_fields));
}

/** Answers a request for ranks through the engine; warnings are in the header `x-tg-warnings`. */
export async function answerRerank(
  { request, notes, write }: DialectTurn<RerankRequest, RerankResponse>,
  requestContext: RequestContext,
  context: HttpContext,
): Promise<HttpResponse> {
  requestContext.requestType = "rerank";
  requestContext.origins = notes.origins;
  const answer = await context.engine.rerank(request, callOptions(requestContext, context));
  return toJson(write(answer), headersOf(notes, answer.extra_fields));
}

/** A request to count a prompt that came in a vendor's dialect, and how its answer goes back. */
export type CountTurn = DialectTurn<ChatRequest, number>;

/** Counts the tokens of a prompt through the engine; an estimated count adds a warning to the header `x-tg-warnings`. */
export async function answerCount(
  { request, notes, write }: CountTurn,
  requestContext: RequestContext,
  context: HttpContext,
): Promise<HttpResponse> {
  requestContext.requestType = "chat_completion";
  requestContext.origins = notes.origins;
  const { input_tokens, is_estimate, warnings } = await context.engine.countTokens(
    request,
    callOptions(requestContext, context),
  );
  const estimated = is_estimate ? ["the count is an estimate: the provider does not count tokens"] : [];
  return toJson(write(input_tokens), warningHeaders(notes, [...warnings, ...estimated]));
}

function headersOf(notes: Notes, extra: ExtraFields | undefined): Record<string, string> {
  return warningHeaders(notes, extra?.warnings ?? []);
}

/** Nothing was lost of a request that a provider of the same interface has answered. */
function notesOf({ notes }: ChatTurn, native: unknown): Notes {
  return native === undefined ? notes : { ...notes, warnings: [] };
}

/**
 * The first chunk is read before the answer begins: its warnings still find room in a header. An answer whose first chunk takes longer than
 * the keep-alive interval begins without it, in the dialect's own form.
 */
async function answerStream(
  turn: ChatTurn & { readonly chats: Pick<CoreEngine, "streamChat"> },
  requestContext: RequestContext,
  context: HttpContext,
): Promise<HttpResponse> {
  const { request, notes, carrier, responses, chats } = turn;
  const asked = chats.streamChat(request, { ...callOptions(requestContext, context), responses });
  const chunks = await withinInterval(asked, context.keepAlive);
  const rest = (chunks ?? lateChunks(asked))[Symbol.asyncIterator]();
  const first = chunks && (await rest.next());
  const headers = {
    ...eventStreamHeaders,
    ...(carrier === undefined ? {} : { "content-type": carrier.contentType }),
    ...headersOf(first?.value ? notesOf(turn, eventsOf(first.value)) : notes, first?.value?.extra_fields),
  };
  const writer = turn.stream();
  const opening = openingOf(requestContext, context);
  const filler = writer.wait ? () => (writer as Required<ChunkWriter>).wait(opening) : carrier?.filler;
  const plain = writerOf(writer, requestContext);
  const frames = toFrames(resume(first, rest), first || carrier ? plain : withWarnings(plain, notes));
  const body = first ? frames : precededBy(filler?.() ?? keepAliveFrame, frames);
  return { status: 200, headers, body, filler };
}

function openingOf({ eventId, model = "" }: RequestContext, { engine }: HttpContext): AnswerOpening {
  return { id: eventId, created: Math.floor(engine.clock.now() / 1_000), model };
}

function writerOf(writer: ChunkWriter, context: RequestContext): FrameWriter<ChatChunk> {
  return {
    write: (chunk) => writer.write(chunk),
    end: () => writer.end(),
    fail: (thrown) => writer.fail(readFailure(thrown, context), context.eventId),
  };
}

/** Adds the warnings that came too late for a header: a comment before the first frame, `: x-tg-warnings […]`. */
function withWarnings(writer: FrameWriter<ChatChunk>, notes: Notes): FrameWriter<ChatChunk> {
  let isFirst = true;
  return {
    ...writer,
    write(chunk) {
      const { "x-tg-warnings": warnings } = isFirst ? headersOf(notes, chunk.extra_fields) : {};
      isFirst = false;
      return (warnings === undefined ? "" : `: x-tg-warnings ${warnings}\n\n`) + writer.write(chunk);
    },
  };
}

/** An iteration whose first step may have been taken already. */
function resume<Value>(first: IteratorResult<Value> | undefined, rest: AsyncIterator<Value>): AsyncIterable<Value> {
  let held = first;
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
