import { GatewayError } from "../../../src/engine/errors.ts";
import type { Transport, WireRequest } from "../../../src/engine/ports/transport.ts";
import { createRedactor, type Redact } from "../../../src/engine/runtime/redaction.ts";
import { isSearchable } from "../../../src/engine/runtime/request-secrets.ts";

/** A request with what lets it in, and what of that no answer may repeat. */
export interface Authorized {
  readonly request: WireRequest;
  readonly secrets: readonly string[];
}

/**
 * A transport whose every request is first let in: by a signature, or by a token that is good for an hour. Its answers know how to hide
 * those secrets, as the client hides those of fixed headers.
 */
export function authorizedTransport(
  inner: Transport,
  authorize: (request: WireRequest) => Promise<Authorized>,
): Transport {
  const redactor = redactorOf();
  return {
    async whole(request) {
      const { request: authorized, secrets } = await authorize(request);
      return { ...(await inner.whole(authorized)), redact: redactor(secrets) };
    },
    async stream(request) {
      const { request: authorized, secrets } = await authorize(request);
      return { ...(await inner.stream(authorized)), redact: redactor(secrets) };
    },
    close: () => inner.close(),
  };
}

/** Makes redactors, and keeps the last one: the secrets stay the same from request to request for long. */
function redactorOf(): (secrets: readonly string[]) => Redact {
  let last: { readonly secrets: readonly string[]; readonly redact: Redact } | undefined;
  return (secrets) => {
    const isSame = last?.secrets.length === secrets.length && secrets.every((each, n) => each === last?.secrets[n]);
    if (!isSame) last = { secrets, redact: createRedactor(secrets.filter(isSearchable)) };
    return (last as NonNullable<typeof last>).redact;
  };
}

/** The failure of who gives a token or keys, named by its option: another candidate may have better luck. `cause` may hold a secret. */
export function withoutCredential(param: string, provider: string, cause: unknown): GatewayError {
  const message = `\`${param}\` of ${provider} gave none: the provider could not be asked.`;
  return new GatewayError("upstream_credentials_exhausted", message, { param, provider, cause });
}
