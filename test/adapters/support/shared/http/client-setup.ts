import { type HttpCall, type HttpClient, httpClient } from "../../../../../adapters/shared/http/client.ts";
import type { HttpClientOptions } from "../../../../../adapters/shared/http/target.ts";
import type { RawExchange } from "../../../../../src/engine/ports/provider.ts";
import type { Answerer, Upstream } from "../../../../../src/testing/conformance/provider/upstream.ts";
import { closedAfter, upstream } from "./setup.ts";

export const secret = "sk-very-secret-0123456789";

/** A client named acme of a server of ours. */
export async function setUp(
  answer: Answerer,
  options: Partial<HttpClientOptions> = {},
): Promise<{ server: Upstream; client: HttpClient }> {
  const server = await upstream(answer);
  const headers = { Authorization: `Bearer ${secret}` };
  const client = httpClient({ provider: "acme", baseUrl: `${server.url}/v1/`, headers, ...options });
  return { server, client: closedAfter(client) };
}

export function call(raw?: RawExchange): HttpCall {
  const timeouts = { connect: 5_000, firstContent: 5_000, gap: 5_000, whole: 5_000 };
  return { signal: new AbortController().signal, timeouts, raw, startedAt: Date.UTC(2026, 10, 20) };
}

/** Answers with JSON. */
export const json =
  (status: number, body: unknown, headers = {}): Answerer =>
  (_seen, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

/** Answers with text of a type. */
export const page =
  (status: number, type: string, body: string): Answerer =>
  (_seen, response) => {
    response.writeHead(status, { "content-type": type });
    response.end(body);
  };
