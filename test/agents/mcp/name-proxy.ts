import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What stands before the names of the tools of the server behind the gateway. */
const prefix = "suite__";
/** What stands before the addresses of its resources. */
const address = "mcp://suite/";

/** Headers that are not true of what is passed on. */
const rewritten: ReadonlySet<string> = new Set(["content-length", "content-encoding"]);

/**
 * The conformance suite asks for tools by fixed names. This stands before the gateway and does nothing but add the server's name to them, and
 * take it away in answers.
 */
export async function startNameProxy(target: string): Promise<{ readonly url: string; close(): void }> {
  const server: Server = createServer((request, response) => {
    passOn(target, request, response).catch(() => response.destroy()); // one of the two is gone
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://localhost:${port}/mcp`, close };
}

async function passOn(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const left = new AbortController();
  response.on("close", () => left.abort());
  const sent = await text(request);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (!["host", "connection", "content-length"].includes(name)) headers.set(name, String(value));
  const body = sent === "" ? {} : { body: withPrefix(sent) };
  const answer = await fetch(target, { method: request.method ?? "GET", headers, signal: left.signal, ...body });
  response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => !rewritten.has(name))));
  for await (const piece of answer.body ?? [])
    response.write(Buffer.from(piece).toString().replaceAll(prefix, "").replaceAll(address, ""));
  response.end();
}

function withPrefix(sent: string): string {
  const message = JSON.parse(sent);
  const isNamed = message.method === "tools/call" || message.method === "prompts/get";
  if (isNamed && typeof message.params?.name === "string") message.params.name = `${prefix}${message.params.name}`;
  if (message.method === "resources/read") message.params.uri = `${address}${message.params.uri}`;
  return JSON.stringify(message);
}
