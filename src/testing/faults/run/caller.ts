import type { ChatChunk, ChatRequest, ChatResponse } from "../../../engine/api/chat.ts";
import type { ErrorBody } from "../../../engine/api/error.ts";
import { type AttemptReport, type ErrorCode, errorTable, GatewayError } from "../../../engine/errors.ts";

/** What the fault server needs of the gateway that it tries: an engine, or {@link httpCaller} over a listener. */
export interface FaultTestCaller {
  chat(request: ChatRequest, options: FaultTestCallOptions): Promise<ChatResponse>;
  streamChat(request: ChatRequest, options: FaultTestCallOptions): Promise<AsyncIterable<ChatChunk>>;
}

/** What the fault server says beside a request. */
export interface FaultTestCallOptions {
  readonly signal: AbortSignal;
}

/** Where a gateway listens. */
export interface HttpCallerOptions {
  /** The address before `/chat/completions`, e.g. `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  /** The virtual key, where the gateway wants one. */
  readonly key?: string | undefined;
  readonly fetch: typeof fetch;
}

/** Asks a gateway over HTTP, and judges the wire as strictly as the fault server needs: a stream without `[DONE]` is not complete. */
export function httpCaller({ baseUrl, key, fetch }: HttpCallerOptions): FaultTestCaller {
  const headers = { "content-type": "application/json", ...(key === undefined ? {} : { "x-tg-key": key }) };
  const send = async (request: ChatRequest, { signal }: FaultTestCallOptions): Promise<Response> => {
    const init = { method: "POST", headers, body: JSON.stringify(request), signal };
    const response = await fetch(`${baseUrl}/chat/completions`, init).catch((thrown: unknown) =>
      hungUp(signal, thrown),
    );
    if (response.ok) return response;
    throw errorOf(await response.json(), response.headers.get("retry-after"));
  };
  return {
    chat: async (request, options) => (await send(request, options)).json() as Promise<ChatResponse>,
    streamChat: async (request, options) => readFrames(await send({ ...request, stream: true }, options), options),
  };
}

function hungUp(signal: AbortSignal, thrown: unknown): never {
  throw signal.aborted ? new GatewayError("request_cancelled", "The caller hung up.") : thrown;
}

async function* readFrames(response: Response, { signal }: FaultTestCallOptions): AsyncGenerator<ChatChunk> {
  let isDone = false;
  try {
    for await (const frame of splitFrames(response.body ?? [])) {
      if (isDone) throw unexpected("a frame behind [DONE]");
      if (frame === "data: [DONE]") isDone = true;
      else yield readFrame(frame);
    }
  } catch (thrown) {
    hungUp(signal, thrown);
  }
  if (!isDone) throw unexpected("a stream that closed without an error and without [DONE]");
}

/** The frames of a body, comments left out; what the body ends in without a blank line is none. */
async function* splitFrames(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending = "";
  for await (const piece of body) {
    const frames = (pending + decoder.decode(piece, { stream: true })).split("\n\n");
    pending = frames.pop() ?? "";
    for (const frame of frames) if (!frame.startsWith(":")) yield frame;
  }
}

function readFrame(frame: string): ChatChunk {
  if (!frame.startsWith("data: ") || frame.includes("\n")) throw unexpected(`a frame that is not one line of data`);
  const value = JSON.parse(frame.slice("data: ".length)) as ChatChunk | ErrorBody;
  if ("error" in value) throw errorOf(value);
  return value as ChatChunk;
}

/** What the gateway must never send; no code of its own table. */
function unexpected(what: string): Error {
  return new Error(`The gateway sent ${what}.`);
}

function errorOf(body: unknown, retryAfter: string | null = null): Error {
  const { type, status_code, is_gateway_error, error } = body as ErrorBody;
  if (!Object.hasOwn(errorTable, type)) return unexpected(`the error type ${JSON.stringify(type)}`);
  const upstream = is_gateway_error ? undefined : { status: status_code, message: error.message };
  const attempts = error.attempts as readonly AttemptReport[] | undefined;
  const retryAfterMs = retryAfter === null ? undefined : Number(retryAfter) * 1_000;
  return new GatewayError(type as ErrorCode, error.message, { upstream, attempts, retryAfterMs });
}
