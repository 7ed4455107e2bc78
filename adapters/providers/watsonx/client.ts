import type { Transport, WireRequest } from "../../../src/engine/ports/transport.ts";
import { createRedactor } from "../../../src/engine/runtime/redaction.ts";
import { type HttpCall, type HttpClient, httpClient } from "../../shared/http/client.ts";
import { type IamClient, iamTokens } from "./token.ts";
import {
  chatBody,
  embeddingBody,
  modelsOf,
  readWatsonxFault,
  vectorsOf,
  type WatsonxFields,
  type WatsonxScope,
} from "./wire.ts";

/** Tells the transport when the call began, in milliseconds since the epoch; never sent. */
const startHeader = "tg-started";

/** A transport that shows an access token with every request, and asks once more with a new one where a kept one is refused. */
function tokenTransport(inner: Transport, client: Omit<IamClient, "transport">): Transport {
  const tokens = iamTokens({ ...client, transport: inner });

  async function ask<Answer extends { readonly status: number }>(
    request: WireRequest,
    send: (request: WireRequest) => Promise<Answer>,
  ): Promise<Answer> {
    const { [startHeader]: startedAt, ...headers } = request.headers;
    const waiting = { now: Number(startedAt), signal: request.signal, timeouts: request.timeouts, via: request.via };
    const withToken = async (token: string) => {
      const answer = await send({ ...request, headers: { ...headers, authorization: `Bearer ${token}` } });
      return { ...answer, redact: createRedactor([token]) };
    };
    const token = await tokens.give(waiting);
    const answer = await withToken(token);
    if (answer.status !== 401 || !tokens.forget(token)) return answer;
    return withToken(await tokens.give(waiting));
  }

  return {
    whole: (request) => ask(request, inner.whole),
    stream: (request) => ask(request, inner.stream),
    close: () => inner.close(),
  };
}

/** What a client is opened with. */
interface WatsonxSettings {
  readonly provider: string;
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly iamUrl: string;
  readonly scope: WatsonxScope;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly callerHeaders: readonly string[] | undefined;
  readonly transport: Transport;
}

/** The date of the interface that the requests are written for. */
const version = "2025-10-01";

/** A client that takes requests of OpenAI's dialect and sends them as watsonx.ai has them. */
export function watsonxClient(settings: WatsonxSettings): HttpClient {
  const { provider, apiKey, iamUrl: url, scope, headers, transport } = settings;
  const http = httpClient({
    readsEither: true,
    provider,
    baseUrl: `${settings.baseUrl.replace(/\/+$/, "")}/ml/v1?version=${version}`,
    headers,
    callerHeaders: settings.callerHeaders,
    transport: tokenTransport(transport, { provider, apiKey, url }),
    readFault: readWatsonxFault,
  });
  return {
    ...http,
    async post(path, body, call) {
      const fields = body as WatsonxFields; // the dialect's bodies are objects
      if (path === "/embeddings")
        return vectorsOf(await http.post("/text/embeddings", embeddingBody(fields, scope), started(call)));
      return http.post("/text/chat", chatBody(fields, scope), started(call));
    },
    get: async (path, call) => modelsOf(await http.get(path, started(call))),
    events: (_path, body, call) =>
      http.events("/text/chat_stream", chatBody(body as WatsonxFields, scope), started(call)),
  };
}

/** The call with its beginning, which tells how old a token is. */
function started(call: HttpCall): HttpCall {
  return { ...call, headers: { ...call.headers, [startHeader]: `${call.startedAt}` } };
}
