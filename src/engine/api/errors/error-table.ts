/** One row of the error table: the HTTP status, the retry rule and the meaning. */
interface ErrorRow {
  readonly status: number;
  /** `same`: retry the same target, then fall back. `next`: fall back to another target. `never`: the caller must act. */
  readonly retry: "same" | "next" | "never";
  readonly meaning: string;
}

function rowsOf(retry: ErrorRow["retry"]) {
  return (status: number, meaning: string): ErrorRow => ({ status, retry, meaning });
}
const [never, next, same] = [rowsOf("never"), rowsOf("next"), rowsOf("same")];

/** The closed table of error codes (inference-resolved.md, section 3). `scripts/docs.ts` generates `docs/errors.md` from it. */
export const errorTable = {
  invalid_request: never(
    400,
    "The body is not valid JSON, violates the schema or exceeds a limit; `param` names the field.",
  ),
  request_too_large: never(413, "The body exceeds the size limit of the listener."),
  request_timeout: never(408, "The body did not arrive before its deadline."),
  overloaded: never(
    503,
    "Too many bytes of requests are buffered, of this key or in all, or too many requests wait to be begun; `Retry-After` gives the time to wait.",
  ),
  unsupported_media_type: never(415, "The content type of the body is not JSON."),
  invalid_model: never(400, "`model` does not have the form `provider/model`."),
  provider_not_found: next(404, "No provider of this name is configured."),
  unsupported_operation: next(400, "The provider does not support this verb, or the field that `param` names."),
  virtual_key_required: never(401, "A virtual key is required but missing."),
  virtual_key_not_found: never(401, "The virtual key is unknown."),
  virtual_key_not_accepted: never(401, "This endpoint does not accept virtual keys."),
  virtual_key_blocked: never(403, "The virtual key is disabled, not valid yet or expired."),
  provider_blocked: next(403, "The virtual key does not allow this provider."),
  model_blocked: next(403, "The virtual key does not allow this model."),
  budget_exceeded: next(402, "The call could exceed a budget."),
  token_limited: next(429, "A token rate limit is exhausted; `Retry-After` gives the time until it resets."),
  request_limited: next(429, "A request rate limit is exhausted; `Retry-After` gives the time until it resets."),
  concurrency_limited: never(
    429,
    "Too many calls are under way and wait; `Retry-After` gives the time until the next attempt.",
  ),
  no_eligible_keys: next(503, "No credential of the provider fits this model."),
  upstream_credentials_exhausted: next(
    502,
    "The provider rejected every credential (401, 402 or 403), or no credential could be obtained.",
  ),
  circuit_open: next(
    503,
    "The circuit breaker of every candidate is open; `Retry-After` gives the time until the next attempt.",
  ),
  upstream_unreachable: same(
    502,
    "The provider could not be reached: DNS, TCP or TLS failed, or the connection was lost.",
  ),
  upstream_timeout: next(504, "A deadline passed: connect, first content, gap between chunks or whole call."),
  upstream_stream_broken: next(502, "The provider's stream ended before it was complete."),
  upstream_invalid_response: next(502, "The provider's answer could not be read."),
  upstream_error: same(
    502,
    "The provider returned an error; the response includes its status, type, code, param and message.",
  ),
  request_cancelled: never(499, "The caller disconnected or cancelled the call."),
  shutting_down: never(503, "The gateway is shutting down and accepts no new calls."),
  store_unavailable: never(
    503,
    "The store, the counters or the cache cannot be used at the moment: locked, disk full or not responding.",
  ),
  not_found: never(404, "The path is unknown, or the resource does not exist in the caller's scope."),
  method_not_allowed: never(405, "The path does not support this method; `Allow` lists the methods that it supports."),
  conflict: never(
    409,
    "The current state does not permit the change: a dependency exists, a name is taken or the version has changed.",
  ),
  token_required: never(
    401,
    "An access token is required in `auth-token`; if `param` is `authorization`, the service credential is required.",
  ),
  token_not_found: never(
    401,
    "The access token is unknown or revoked; if `param` is `authorization`, the service credential is wrong.",
  ),
  token_not_yet_valid: never(401, "The access token is not valid yet."),
  token_expired: never(401, "The access token has expired."),
  permission_denied: never(403, "The access token lacks the permission that `param` names."),
  region_required: never(400, "The region is missing; send the header `region`."),
  region_unknown: never(400, "The region is unknown."),
  quota_exceeded: never(403, "The operation would exceed a quota."),
  not_implemented: never(501, "No back end of the region supports this operation."),
  backend_error: never(502, "The back end of the region failed."),
  backend_timeout: never(504, "The back end of the region did not answer in time."),
  backend_unreachable: never(502, "The back end of the region cannot be reached."),
  invalid_configuration: never(500, "An option or a configuration file is invalid; `param` names the field."),
  content_blocked: never(400, "Middleware refused the request or its answer: `middleware` says which, `reason` why."),
  internal: never(500, "A bug in the gateway. The response contains no details; the log does."),
} satisfies Record<string, ErrorRow>;
