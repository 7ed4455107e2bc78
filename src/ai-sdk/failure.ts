import { GatewayError, isGatewayError } from "../engine/errors.ts";

/** What is read of the AI SDK's `APICallError`; its fields identify it, since several copies of the SDK may be installed. */
interface CallFailure {
  readonly message: string;
  readonly statusCode?: unknown;
  readonly data?: { readonly error?: { readonly type?: unknown; readonly code?: unknown; readonly param?: unknown } };
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/** A failure of the AI SDK in our table: with the vendor's status and words where it has them. */
export function fromSdkError(thrown: unknown, provider: string, signal: AbortSignal): Error {
  if (isGatewayError(thrown)) return thrown;
  if (signal.aborted) {
    const { reason } = signal;
    return isGatewayError(reason) ? reason : new GatewayError("request_cancelled", "The call was cancelled.");
  }
  if (!(thrown instanceof Error)) return unread(provider, thrown);
  const { statusCode, message, data, responseHeaders } = thrown as CallFailure;
  if (typeof statusCode === "number" && statusCode >= 400) {
    const { type, code, param } = data?.error ?? {};
    const upstream = { status: statusCode, message, type: text(type), code: text(code), param: text(param) };
    return new GatewayError("upstream_error", message, {
      provider,
      upstream,
      retryAfterMs: waitOf(responseHeaders),
      cause: thrown,
    });
  }
  const isLost = thrown.name === "AI_APICallError" && statusCode === undefined;
  if (!isLost) return unread(provider, thrown);
  return new GatewayError("upstream_unreachable", `${provider} cannot be reached.`, { provider, cause: thrown });
}

function unread(provider: string, cause: unknown): GatewayError {
  return new GatewayError("upstream_invalid_response", `The answer of ${provider} could not be read.`, {
    provider,
    cause,
  });
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function waitOf(headers: Readonly<Record<string, string>> | undefined): number | undefined {
  const seconds = Number(headers?.["retry-after"] ?? Number.NaN);
  return seconds >= 0 ? seconds * 1_000 : undefined;
}

/** The error of an argument that is not what it must be. */
export function refuse(param: string, what: string): GatewayError {
  return new GatewayError("invalid_configuration", `\`${param}\` must be ${what}.`, { param });
}
