/** One row of the error table: the HTTP status, whether asking again can help, and what it means. */
interface ErrorRow {
  readonly status: number;
  /** `same`: the same target may be asked again. `next`: another target may be asked. `never`: the caller must act. */
  readonly retry: "same" | "next" | "never";
  readonly meaning: string;
}

/** The closed table of everything that can go wrong (inference-resolved.md, section 3). `docs/errors.md` is made from it. */
export const errorTable = {
  invalid_request: {
    status: 400,
    retry: "never",
    meaning: "The body is not readable JSON, breaks the schema, or exceeds a bound; `param` names the field.",
  },
  request_too_large: { status: 413, retry: "never", meaning: "The body is over the size limit of the listener." },
  unsupported_media_type: { status: 415, retry: "never", meaning: "The body is not declared as JSON." },
  invalid_model: { status: 400, retry: "never", meaning: "`model` is not of the form `provider/model`." },
  provider_not_found: { status: 404, retry: "next", meaning: "No provider of that name is configured." },
  unsupported_operation: {
    status: 400,
    retry: "next",
    meaning: "The provider cannot do this verb, or cannot be sent what `param` names.",
  },
  virtual_key_required: { status: 401, retry: "never", meaning: "A virtual key is required and none was sent." },
  virtual_key_not_found: { status: 401, retry: "never", meaning: "The virtual key is unknown." },
  virtual_key_not_accepted: { status: 401, retry: "never", meaning: "This endpoint does not accept virtual keys." },
  virtual_key_blocked: { status: 403, retry: "never", meaning: "The virtual key is inactive, or outside its dates." },
  provider_blocked: { status: 403, retry: "next", meaning: "The virtual key does not allow this provider." },
  model_blocked: { status: 403, retry: "next", meaning: "The virtual key does not allow this model." },
  budget_exceeded: { status: 402, retry: "next", meaning: "The call could pass the limit of a budget." },
  token_limited: { status: 429, retry: "next", meaning: "A token window is full; `Retry-After` says for how long." },
  request_limited: {
    status: 429,
    retry: "next",
    meaning: "A request window is full; `Retry-After` says for how long.",
  },
  no_eligible_keys: { status: 503, retry: "next", meaning: "No credential of the provider fits this model." },
  upstream_credentials_exhausted: {
    status: 502,
    retry: "next",
    meaning: "The provider refused every credential (401, 402 or 403), or there was none to be had.",
  },
  circuit_open: {
    status: 503,
    retry: "next",
    meaning: "The circuit of every candidate is open; `Retry-After` says for how long.",
  },
  upstream_unreachable: {
    status: 502,
    retry: "same",
    meaning: "No connection to the provider: DNS, TCP or TLS failed, or the connection was lost.",
  },
  upstream_timeout: {
    status: 504,
    retry: "next",
    meaning: "A deadline passed: connect, first content, gap between chunks, or the whole request.",
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
    meaning: "The provider answered with an error; its status, type, code, param and message are kept.",
  },
  request_cancelled: { status: 499, retry: "never", meaning: "The caller hung up or aborted the call." },
  shutting_down: { status: 503, retry: "never", meaning: "The gateway is draining and takes no new work." },
  store_unavailable: {
    status: 503,
    retry: "never",
    meaning:
      "What keys, counts or answers are kept in cannot be used just now: it is locked, its disk is full, or it does not answer.",
  },
  not_found: {
    status: 404,
    retry: "never",
    meaning: "No operation has this path, or what it names is not there or not in the caller's scope.",
  },
  method_not_allowed: {
    status: 405,
    retry: "never",
    meaning: "The path exists, the method does not; `Allow` lists those that do.",
  },
  conflict: {
    status: 409,
    retry: "never",
    meaning: "The state of things forbids it: something depends on it, a name is taken, a version moved.",
  },
  token_required: {
    status: 401,
    retry: "never",
    meaning:
      "An access token is required in `auth-token`; where `param` is `authorization`, the service credential is.",
  },
  token_not_found: {
    status: 401,
    retry: "never",
    meaning:
      "The access token is unknown or revoked; where `param` is `authorization`, the service credential is wrong.",
  },
  token_not_yet_valid: { status: 401, retry: "never", meaning: "The access token is not good before its start." },
  token_expired: { status: 401, retry: "never", meaning: "The access token was good until its end." },
  permission_denied: {
    status: 403,
    retry: "never",
    meaning: "The access token does not carry the permission that `param` names.",
  },
  region_required: { status: 400, retry: "never", meaning: "The portal needs to know the region: send `region`." },
  region_unknown: { status: 400, retry: "never", meaning: "There is no region of this code." },
  quota_exceeded: { status: 403, retry: "never", meaning: "A quota would be passed." },
  not_implemented: { status: 501, retry: "never", meaning: "No back end does this in that region." },
  backend_error: { status: 502, retry: "never", meaning: "The back end of the region failed." },
  backend_timeout: { status: 504, retry: "never", meaning: "The back end of the region did not answer in time." },
  backend_unreachable: { status: 502, retry: "never", meaning: "The back end of the region cannot be reached." },
  invalid_configuration: {
    status: 500,
    retry: "never",
    meaning: "An option or a configuration file is wrong; `param` names the field.",
  },
  internal: {
    status: 500,
    retry: "never",
    meaning: "A defect of the gateway. The answer holds no inner text; the log does.",
  },
} as const satisfies Record<string, ErrorRow>;

/** A code of {@link errorTable}; the `type` of the error body. */
export type ErrorCode = keyof typeof errorTable;

/** What a provider said of its own failure, verbatim. */
export interface UpstreamFault {
  readonly status: number;
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly param?: string | undefined;
  readonly message: string;
}

/** One target that was asked and what became of it; `error.attempts` tells the story of a failed call. */
export interface AttemptReport {
  /** `provider/model`. */
  readonly target: string;
  readonly status: number;
  readonly reason: ErrorCode | "ok";
  /** Milliseconds that this target took, retries included. */
  readonly milliseconds: number;
}

/** The details that an error may carry beside its code and message. */
export interface ErrorDetails {
  /** Dotted path of the offending field, e.g. `messages.0.role`. */
  readonly param?: string | undefined;
  readonly provider?: string | undefined;
  /** The model as the caller asked for it. */
  readonly model?: string | undefined;
  readonly upstream?: UpstreamFault | undefined;
  /** Milliseconds to wait before asking again. */
  readonly retryAfterMs?: number | undefined;
  readonly attempts?: readonly AttemptReport[] | undefined;
  /** The request's id, as in the events and in `x-tg-event-id`. */
  readonly eventId?: string | undefined;
  readonly cause?: unknown;
}

const brand: unique symbol = Symbol.for("tollgate.GatewayError") as never;

/** Every failure that tollgate reports. Recognise it with {@link isGatewayError}: two copies of the package agree on the brand. */
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

/** True for a GatewayError of any copy of this package. */
export function isGatewayError(value: unknown): value is GatewayError {
  return typeof value === "object" && value !== null && brand in value;
}

/** A copy of the error with more details, for the places that know more than the one that threw (the target, the attempts). */
export function withDetails(error: GatewayError, details: ErrorDetails): GatewayError {
  const { param, provider, model, upstream, retryAfterMs, attempts, eventId, cause } = error;
  const known = { param, provider, model, upstream, retryAfterMs, attempts, eventId, cause };
  const more = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  const copy = new GatewayError(error.code, error.message, { ...known, ...more });
  if (error.stack) copy.stack = error.stack;
  return copy;
}

/** Anything that was thrown, as a GatewayError: what is not one is a defect of ours and becomes `internal`. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  return new GatewayError("internal", "The gateway failed to handle this request.", { cause: thrown });
}
