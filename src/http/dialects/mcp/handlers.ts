import { GatewayError } from "../../../engine/errors.ts";
import { type Aborter, createAborter } from "../../../engine/runtime/abortable.ts";
import { callOptions, type HttpContext, type RequestHandler, readInput, readKey } from "../../context.ts";
import { type HttpResponse, readHeader } from "../../message.ts";
import type { RequestContext } from "../../response/request-context.ts";
import { eventStreamHeaders } from "../../response/sse.ts";
import { openToolChanges } from "./changes.ts";
import { createToolServer } from "./server.ts";
import { loadSdk } from "./session.ts";

/** What is read of a message before the SDK reads it. */
interface McpMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly _meta?: { readonly progressToken?: unknown }; readonly requestId?: unknown } | undefined;
}

/**
 * `POST /mcp`: streamable HTTP. Nothing is remembered between requests, so that any process may answer one; the session id only tells the
 * requests of one client from those of another, so that each cancels its own. A key that would be refused is refused before the body is
 * read. The answer is a stream where progress is asked for.
 */
const answerMcp: RequestHandler = async (requestContext, context) => {
  const message = ((await readInput(requestContext, context)) ?? {}) as McpMessage;
  const calls = callsUnderWay(context);
  const session = readHeader(requestContext.request.headers, "mcp-session-id") ?? "";
  const owner = [readKey(requestContext, context) ?? "", session];
  if (message.method === "notifications/cancelled") calls.get(nameOf(owner, message.params?.requestId))?.abort(left);
  const call = session === "" || message.id === undefined ? undefined : nameOf(owner, message.id);
  const aborter = follow(requestContext);
  if (call !== undefined) calls.set(call, aborter);
  const end = () => {
    if (call !== undefined && calls.get(call) === aborter) calls.delete(call);
  };
  try {
    return await exchange(requestContext, context, { message, signal: aborter, end });
  } catch (thrown) {
    end();
    throw thrown;
  }
};

const left = new GatewayError("request_cancelled", "The caller cancelled the request.");

/** One message, and what ends with it. */
interface McpExchange {
  readonly message: McpMessage;
  readonly signal: Aborter;
  readonly end: () => void;
}

async function exchange(
  requestContext: RequestContext,
  context: HttpContext,
  { message, signal, end }: McpExchange,
): Promise<HttpResponse> {
  const { eventId: _one, ...own } = callOptions(requestContext, context); // a request may call several tools
  const isStream = message.params?._meta?.progressToken !== undefined;
  const sdk = await loadSdk();
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStream });
  const isSearched = readSearch(requestContext.request.query) ?? context.engine.mcp.isSearched;
  const session = { engine: context.engine, context: requestContext, options: { ...own, signal }, isSearched };
  const server = createToolServer(sdk, session);
  // The cast: the SDK's own classes do not agree on optional fields.
  await server.connect(transport as never);
  const close = async () => {
    end();
    await server.close();
  };
  const headers = new Headers([...plainHeaders(requestContext.request.headers), ["accept", bothForms]]);
  const request = new Request("http://gateway/mcp", { method: "POST", headers });
  const response = await transport.handleRequest(request, { parsedBody: message });
  const isOver = !isStream || response.body === null;
  if (!isOver)
    return { status: response.status, headers: { ...eventStreamHeaders }, body: piecesOf(response.body, close) };
  const body = await response.text();
  await close();
  const opened = message.method === "initialize" ? { "mcp-session-id": newSession(context) } : {};
  return { status: response.status, headers: { ...Object.fromEntries(response.headers), ...opened }, body };
}

/** What `?search=` says: a client may choose, whatever the gateway's own setting is. */
function readSearch(query: string): boolean | undefined {
  const value = new URLSearchParams(query).get("search");
  return value === null ? undefined : value === "true";
}

function newSession({ engine }: HttpContext): string {
  return Buffer.from(engine.entropy(16)).toString("base64url");
}

/** The pieces of an answer as they come; to stop reading ends what makes them, also before the first. */
function piecesOf(body: ReadableStream<Uint8Array> | null, close: () => Promise<void>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  const finish = async (): Promise<IteratorResult<string, undefined>> => {
    await close();
    return { done: true, value: undefined };
  };
  const iterator: AsyncIterator<string, undefined> = {
    async next() {
      const step = await reader?.read();
      if (!step || step.done) return finish();
      return { done: false, value: decoder.decode(step.value, { stream: true }) };
    },
    return: finish,
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** Follows the caller of a request, and can be aborted by another of its requests. */
function follow({ request }: RequestContext): Aborter {
  const aborter = createAborter();
  if (request.signal.aborted) aborter.abort(left);
  else request.signal.addEventListener("abort", () => aborter.abort(left));
  return aborter;
}

const underWay = new WeakMap<HttpContext, Map<string, Aborter>>();

/** The requests under way of clients with a session, by key, session and id. */
function callsUnderWay(context: HttpContext): Map<string, Aborter> {
  const calls = underWay.get(context) ?? new Map<string, Aborter>();
  underWay.set(context, calls);
  return calls;
}

/** A session is its key's alone: no other key cancels its requests, whatever session it names. */
function nameOf(owner: readonly string[], id: unknown): string {
  return JSON.stringify([...owner, id]);
}

const noStream = new GatewayError(
  "invalid_request",
  "`accept`: `GET /mcp` is a stream of events; send `text/event-stream`. Messages are sent with POST.",
  { param: "accept" },
);

/** `GET /mcp`: says when the tools of a server change. */
const answerChanges: RequestHandler = async (requestContext, context) => {
  const key = readKey(requestContext, context);
  await context.engine.admit({ key });
  const { signal, headers } = requestContext.request;
  if (!readHeader(headers, "accept")?.includes("text/event-stream")) throw noStream;
  return { status: 200, headers: { ...eventStreamHeaders }, body: openToolChanges(context.engine, key ?? "", signal) };
};

/** The protocol wants both to be accepted, whatever the answer is. */
const bothForms = "application/json, text/event-stream";

/** What the protocol looks at; credentials stay here. */
const readByProtocol = ["content-type", "mcp-protocol-version", "last-event-id"] as const;

function plainHeaders(headers: Readonly<Record<string, string | readonly string[] | undefined>>): [string, string][] {
  return readByProtocol.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
}

/** The handler of each operation. */
export const handlers = { mcp: answerMcp, mcp_changes: answerChanges } satisfies Record<string, RequestHandler>;
