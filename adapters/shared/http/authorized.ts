import { GatewayError } from "../../../src/errors.ts";
import type { Transport, WireRequest, WireStream } from "./transport.ts";

/** A request with what lets it in, and what of that no refusal may repeat. */
export interface Authorized {
  readonly request: WireRequest;
  readonly secrets: readonly string[];
}

/**
 * A transport whose every request is first let in: by a signature, or by a token that is good for an hour. What refusals repeat of the
 * secrets is hidden, as the client hides those of fixed headers.
 */
export function authorizedTransport(
  inner: Transport,
  authorize: (request: WireRequest) => Promise<Authorized>,
): Transport {
  return {
    async whole(request) {
      const { request: authorized, secrets } = await authorize(request);
      const answer = await inner.whole(authorized);
      return answer.status < 400 ? answer : { ...answer, body: hide(answer.body, secrets) };
    },
    async stream(request) {
      const { request: authorized, secrets } = await authorize(request);
      const answer = await inner.stream(authorized);
      return answer.status < 400 ? answer : { ...answer, body: hiding(answer.body, secrets) };
    },
    close: () => inner.close(),
  };
}

/** The failure of who gives a token or keys, named by its option: another candidate may have better luck. `cause` may hold a secret. */
export function ungiven(param: string, provider: string, cause: unknown): GatewayError {
  const message = `\`${param}\` of ${provider} gave none: the provider could not be asked.`;
  return new GatewayError("upstream_credentials_exhausted", message, { param, provider, cause });
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
}

/** Bytes of a refusal that are worth reading. */
const longestRefusal = 1024 * 1024;

/** The refusal of a stream, as one piece: it is short, and a secret may stand across two pieces. */
async function* hiding(body: WireStream["body"], secrets: readonly string[]): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size > longestRefusal) break;
  }
  yield Buffer.from(hide(Buffer.concat(pieces).toString("utf8"), secrets));
}
