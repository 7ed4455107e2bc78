/** One row of the error table: the HTTP status, the retry rule and the meaning. */
interface ErrorRow {
  readonly status: number;
  /** `same`: retry the same target, then fall back. `next`: fall back to another target. `never`: the caller must act. */
  readonly retry: "same" | "next" | "never";
  readonly meaning: string;
}

/** The closed table of error codes (inference-resolved.md, section 3). `scripts/docs.ts` generates `docs/errors.md` from it. */
export const errorTable = {
  invalid_request: {
    status: 400,
    retry: "never",
    meaning: "The body is not valid JSON, violates the schema or exceeds a limit; `param` names the field.",
  },
  request_too_large: { status: 413, retry: "never", meaning: "The body exceeds the size limit of the listener." },
  request_timeout: { status: 408, retry: "never", meaning: "The body did not arrive before its deadline." },
  overloaded: {
    status: 503,
    retry: "never",
    meaning:
      "Too many bytes of requests are buffered, of this key or in all, or too many requests wait to be begun; `Retry-After` gives the time to wait.",
  },
  unsupported_media_type: { status: 415, retry: "never", meaning: "The content type of the body is not JSON." },
  invalid_model: { status: 400, retry: "never", meaning: "`model` does not have the form `provider/model`." },
  provider_not_found: { status: 404, retry: "next", meaning: "No provider of this name is configured." },
  unsupported_operation: {
    status: 400,
    retry: "next",
    meaning: "The provider does not support this verb, or the field that `param` names.",
  },
  virtual_key_required: { status: 401, retry: "never", meaning: "A virtual key is required but missing." },
  virtual_key_not_found: { status: 401, retry: "never", meaning: "The virtual key is unknown." },
  virtual_key_not_accepted: { status: 401, retry: "never", meaning: "This endpoint does not accept virtual keys." },
  virtual_key_blocked: {
    status: 403,
    retry: "never",
    meaning: "The virtual key is disabled, not valid yet or expired.",
  },
  provider_blocked: { status: 403, retry: "next", meaning: "The virtual key does not allow this provider." },
  model_blocked: { status: 403, retry: "next", meaning: "The virtual key does not allow this model." },
  budget_exceeded: { status: 402, retry: "next", meaning: "The call could exceed a budget." },
  token_limited: {
    status: 429,
    retry: "next",
    meaning: "A token rate limit is exhausted; `Retry-After` gives the time until it resets.",
  },
  request_limited: {
    status: 429,
    retry: "next",
    meaning: "A request rate limit is exhausted; `Retry-After` gives the time until it resets.",
  },
  concurrency_limited: {
    status: 429,
    retry: "never",
    meaning: "Too many calls are under way and wait; `Retry-After` gives the time until the next attempt.",
  },
  no_eligible_keys: { status: 503, retry: "next", meaning: "No credential of the provider fits this model." },
  upstream_credentials_exhausted: {
    status: 502,
    retry: "next",
    meaning: "The provider rejected every credential (401, 402 or 403), or no credential could be obtained.",
  },
  circuit_open: {
    status: 503,
    retry: "next",
    meaning: "The circuit breaker of every candidate is open; `Retry-After` gives the time until the next attempt.",
  },
  upstream_unreachable: {
    status: 502,
    retry: "same",
    meaning: "The provider could not be reached: DNS, TCP or TLS failed, or the connection was lost.",
  },
  upstream_timeout: {
    status: 504,
    retry: "next",
    meaning: "A deadline passed: connect, first content, gap between chunks or whole call.",
  },
  upstream_stream_broken: {
    status: 502,
    retry: "next",
    meaning: "The provider's stream ended before it was complete.",
  },
  upstream_invalid_response: { status: 502, retry: "next", meaning: "The provider's answer could not be read." },
  upstream_error: {
    status: 502,
    retry: "same",
    meaning: "The provider returned an error; the response includes its status, type, code, param and message.",
  },
  request_cancelled: { status: 499, retry: "never", meaning: "The caller disconnected or cancelled the call." },
  shutting_down: { status: 503, retry: "never", meaning: "The gateway is shutting down and accepts no new calls." },
  store_unavailable: {
    status: 503,
    retry: "never",
    meaning: "The store, the counters or the cache cannot be used at the moment: locked, disk full or not responding.",
  },
  not_found: {
    status: 404,
    retry: "never",
    meaning: "The path is unknown, or the resource does not exist in the caller's scope.",
  },
  method_not_allowed: {
    status: 405,
    retry: "never",
    meaning: "The path does not support this method; `Allow` lists the methods that it supports.",
  },
  conflict: {
    status: 409,
    retry: "never",
    meaning:
      "The current state does not permit the change: a dependency exists, a name is taken or the version has changed.",
  },
  token_required: {
    status: 401,
    retry: "never",
    meaning:
      "An access token is required in `auth-token`; if `param` is `authorization`, the service credential is required.",
  },
  token_not_found: {
    status: 401,
    retry: "never",
    meaning: "The access token is unknown or revoked; if `param` is `authorization`, the service credential is wrong.",
  },
  token_not_yet_valid: { status: 401, retry: "never", meaning: "The access token is not valid yet." },
  token_expired: { status: 401, retry: "never", meaning: "The access token has expired." },
  permission_denied: {
    status: 403,
    retry: "never",
    meaning: "The access token lacks the permission that `param` names.",
  },
  region_required: { status: 400, retry: "never", meaning: "The region is missing; send the header `region`." },
  region_unknown: { status: 400, retry: "never", meaning: "The region is unknown." },
  quota_exceeded: { status: 403, retry: "never", meaning: "The operation would exceed a quota." },
  not_implemented: { status: 501, retry: "never", meaning: "No back end of the region supports this operation." },
  backend_error: { status: 502, retry: "never", meaning: "The back end of the region failed." },
  backend_timeout: { status: 504, retry: "never", meaning: "The back end of the region did not answer in time." },
  backend_unreachable: { status: 502, retry: "never", meaning: "The back end of the region cannot be reached." },
  invalid_configuration: {
    status: 500,
    retry: "never",
    meaning: "An option or a configuration file is invalid; `param` names the field.",
  },
  internal: {
    status: 500,
    retry: "never",
    meaning: "A bug in the gateway. The response contains no details; the log does.",
  },
} as const satisfies Record<string, ErrorRow>;

/** A code of {@link errorTable}; the `type` of the error body. */
export type ErrorCode = keyof typeof errorTable;

/** The provider's own error, verbatim. */
export interface UpstreamFault {
  readonly status: number;
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly param?: string | undefined;
  readonly message: string;
}

/** The result of one target; `error.attempts` lists them for a failed call. */
export interface AttemptReport {
  /** `provider/model`. */
  readonly target: string;
  readonly status: number;
  readonly reason: ErrorCode | "ok";
  /** Duration of this target in milliseconds, including retries. */
  readonly milliseconds: number;
  /** How often the target was asked, where that was more than once. */
  readonly tries?: number | undefined;
}

/** Optional details of an error. */
export interface ErrorDetails {
  /** Dotted path of the offending field, e.g. `messages.0.role`. */
  readonly param?: string | undefined;
  readonly provider?: string | undefined;
  /** The model as named in the request. */
  readonly model?: string | undefined;
  readonly upstream?: UpstreamFault | undefined;
  /** Milliseconds to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined;
  readonly attempts?: readonly AttemptReport[] | undefined;
  /** The request's id, as in the events and in `x-tg-event-id`. */
  readonly eventId?: string | undefined;
  readonly cause?: unknown;
}

const brand: unique symbol = Symbol.for("tollgate.GatewayError") as never;

/** Every failure that tollgate reports. Use {@link isGatewayError} to recognise it: the brand is the same across copies of the package. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly [brand] = true;
  readonly code: ErrorCode;
  /** The HTTP status: the table's, or the provider's own for `upstream_error`. */
  readonly status: number;
  readonly param: string | undefined;
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly upstream: UpstreamFault | undefined;
  readonly retryAfterMs: number | undefined;
  readonly attempts: readonly AttemptReport[];
  readonly eventId: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.upstream?.status ?? errorTable[code].status;
    this.param = details.param;
    this.provider = details.provider;
    this.model = details.model;
    this.upstream = details.upstream;
    this.retryAfterMs = details.retryAfterMs;
    this.attempts = details.attempts ?? [];
    this.eventId = details.eventId;
  }
}

/** Returns true for a `GatewayError` of any copy of this package. */
export function isGatewayError(value: unknown): value is GatewayError {
  return typeof value === "object" && value !== null && brand in value;
}

/** Returns a copy of the error with more details, for callers that know more than the code that threw (target, attempts). */
export function withDetails(error: GatewayError, details: ErrorDetails): GatewayError {
  const { param, provider, model, upstream, retryAfterMs, attempts, eventId, cause } = error;
  const known = { param, provider, model, upstream, retryAfterMs, attempts, eventId, cause };
  const more = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  const copy = new GatewayError(error.code, error.message, { ...known, ...more });
  if (error.stack) copy.stack = error.stack;
  return copy;
}

/** Where a failed connection was to go (`host:port: reason`): for the log, since addresses are of the operator's network. */
export function addressOfFailure({ cause }: GatewayError): string | undefined {
  let inner = cause;
  for (let depth = 0; depth < 4 && inner instanceof Error; depth++) {
    if ("address" in inner && typeof inner.address === "string") return inner.address;
    inner = inner.cause;
  }
  return undefined;
}

/** Converts any thrown value to a `GatewayError`. A value of another type is a bug in the gateway and becomes `internal`. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  return new GatewayError("internal", "The gateway failed to handle this request.", { cause: thrown });
}
