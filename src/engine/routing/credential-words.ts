import { GatewayError } from "../errors.ts";
import { isDeadCredential } from "./verdict.ts";

const keyCode = "invalid_api_key";

/** What vendors call a kind of error: `invalid_api_key`, `AccessDeniedException`; nothing that part of a credential could be. */
const kindOfError = /^(?:[a-z]+(?:_[a-z]+)+|(?:[A-Z][a-z]+)+Exception)$/;

/**
 * The error with a text of ours in place of what a provider says of our credential (401, 403, 400): it may quote the credential, in part or
 * encoded, and names our accounts. Of the provider's words only the kind of error is left. Other errors are given back as they are.
 */
export function withoutCredentialWords(error: GatewayError, provider: string): GatewayError {
  const { status, code, type } = error.upstream ?? {};
  if (status === undefined || status === 402 || !isDeadCredential(error)) return error;
  const kind = [code, type].find((word) => word !== undefined && word.length <= 60 && kindOfError.test(word));
  const reported = kind === undefined ? status : `${status}, ${kind}`;
  const message = `${provider} does not accept the gateway's credential for this request (${reported}).`;
  const { model, retryAfterMs, attempts, eventId } = error;
  return new GatewayError(error.code, message, {
    ...{ provider, model, retryAfterMs, attempts, eventId },
    upstream: { status, message, code: status === 400 ? keyCode : undefined }, // which tells it from a fault of the caller
  });
}
