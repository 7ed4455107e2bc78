import type { Transport, WireRequest } from "../../../src/engine/ports/transport.ts";
import { createRedactor } from "../../../src/engine/runtime/redaction.ts";
import { type IamClient, iamTokens } from "./token.ts";

/** Tells the transport when the call began, in milliseconds since the epoch; never sent. */
export const startHeader = "tg-started";

/** A transport that shows an access token with every request, and asks once more with a new one where a kept one is refused. */
export function tokenTransport(inner: Transport, client: Omit<IamClient, "transport">): Transport {
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
