import type { Transport, WireStream } from "../../../src/engine/ports/transport.ts";

/** Milliseconds in which a stream of a server may say nothing: as long as a timer can be set for. */
const longestMs = 2_147_483_647;

const connectMs = 10_000;

/** Answers whose status forbids a body. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** The server that is asked. */
interface FetchedServer {
  readonly name: string;
  /** Milliseconds of one call. */
  readonly timeoutMs: number;
}

/**
 * A `fetch` for the SDK over the transport of the engine: its proxy, its certificates and its names hold for tool servers as they do for
 * providers. Redirects are answers; the SDK follows those that stay with the server.
 */
export function fetchOver(transport: Transport, { name, timeoutMs }: FetchedServer): typeof fetch {
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const method = (init.method ?? "GET") as "GET" | "POST" | "DELETE"; // the protocol and its authorization have no others
    const headers = new Headers(init.headers);
    const { body } = init;
    if (body instanceof URLSearchParams && !headers.has("content-type"))
      headers.set("content-type", "application/x-www-form-urlencoded");
    const answer = await transport.stream({
      ...{ method, url, headers: Object.fromEntries(headers), peer: `The MCP server \`${name}\`` },
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      signal: init.signal ?? new AbortController().signal,
      timeouts: { connect: connectMs, firstContent: method === "GET" ? longestMs : timeoutMs, gap: longestMs },
    });
    return responseOf(answer);
  };
}

async function responseOf({ status, headers, body }: WireStream): Promise<Response> {
  const pieces = body[Symbol.asyncIterator]();
  // What is decompressed already is not to be decompressed again.
  const { "content-encoding": _encoding, "content-length": _length, ...rest } = headers;
  const head = { status, headers: rest };
  if (withoutBody.has(status)) {
    await pieces.return?.();
    return new Response(null, head);
  }
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = await pieces.next();
      if (step.done) controller.close();
      else controller.enqueue(step.value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
  return new Response(stream, head);
}
