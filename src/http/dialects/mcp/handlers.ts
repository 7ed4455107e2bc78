import { callOptions, type RequestHandler, readInput } from "../../context.ts";
import type { HttpResponse } from "../../message.ts";
import { createVerbServer, loadSdk } from "./server.ts";

/**
 * `POST /mcp`: streamable HTTP without sessions. Each request has a server of its own, so that any process may answer it. A key that
 * would be refused is refused before the body is read.
 */
const answerMcp: RequestHandler = async (requestContext, context) => {
  const parsedBody = await readInput(requestContext, context);
  const { engine } = context;
  const { eventId: _one, ...options } = callOptions(requestContext, context); // a request may call several tools
  const sdk = await loadSdk();
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createVerbServer(sdk, { engine, context: requestContext, options });
  // The cast: the SDK's own classes do not agree on optional fields.
  await server.connect(transport as never);
  try {
    const headers = new Headers([...plainHeaders(requestContext.request.headers), ["accept", bothForms]]);
    const request = new Request("http://gateway/mcp", { method: "POST", headers });
    return await toResponse(await transport.handleRequest(request, { parsedBody }));
  } finally {
    await server.close();
  }
};

/** The protocol wants both to be accepted, though the answer is never a stream. */
const bothForms = "application/json, text/event-stream";

/** What the protocol looks at; credentials stay here. */
const readByProtocol = ["content-type", "mcp-protocol-version", "mcp-session-id", "last-event-id"] as const;

function plainHeaders(headers: Readonly<Record<string, string | readonly string[] | undefined>>): [string, string][] {
  return readByProtocol.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
}

async function toResponse(response: Response): Promise<HttpResponse> {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

/** The handler of each operation. */
export const handlers = { mcp: answerMcp } satisfies Record<string, RequestHandler>;
