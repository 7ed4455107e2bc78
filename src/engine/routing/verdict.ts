import { errorTable, type GatewayError } from "../errors.ts";

/** How often and how patiently one target is asked again. */
export interface RetryPolicy {
  /** Tries after the first, per target. */
  readonly retries: number;
  /** First back-off in milliseconds; it doubles with each try. */
  readonly baseMs: number;
  /** Longest back-off in milliseconds. */
  readonly maxMs: number;
  /** Longest `Retry-After` in milliseconds that is waited for while another candidate is ready. */
  readonly patienceMs: number;
}

/** Defaults of inference-resolved.md, 6.3. */
export const defaultRetryPolicy: RetryPolicy = { retries: 2, baseMs: 500, maxMs: 5_000, patienceMs: 2_000 };

/**
 * What to do after a failure: ask the same target again after a pause, or at once with another credential, go to the next target, or
 * give up.
 */
export type Verdict =
  | { readonly kind: "retry"; readonly afterMs: number }
  | { readonly kind: "rotate" }
  | { readonly kind: "next" }
  | { readonly kind: "stop" };

/** What a verdict is reached from. */
export interface Failure {
  readonly error: GatewayError;
  /** Tries of this target so far, this one included; those that only changed the credential do not count. */
  readonly tries: number;
  /** Another credential of the provider is good for the model, and neither dead nor resting. */
  readonly hasOtherCredential?: boolean | undefined;
  /** Another candidate could be asked at once. */
  readonly hasReadyFallback?: boolean | undefined;
  readonly policy: RetryPolicy;
  /** Milliseconds until the request's deadline. */
  readonly remainingMs: number;
  /** A draw in [0, 1) for the jitter. */
  readonly draw: number;
}

const retriedStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504, 529]);

/**
 * Judges one failure (inference-resolved.md, 6.3 and 6.4). The caller's own faults stop the request; a context that is too long
 * for one target moves on at once; a silent route is not asked again; overload and lost connections are retried while the
 * deadline allows.
 */
export function judge(failure: Failure): Verdict {
  const { error, tries, policy, remainingMs, draw, hasOtherCredential, hasReadyFallback } = failure;
  if (hasOtherCredential && isCredentialFault(error)) return { kind: "rotate" };
  const expectation = expectationOf(error);
  if (expectation !== "same") return { kind: expectation === "next" ? "next" : "stop" };
  if (tries > policy.retries) return { kind: "next" };
  if (hasReadyFallback && error.retryAfterMs !== undefined && error.retryAfterMs > policy.patienceMs)
    return { kind: "next" };
  const afterMs = error.retryAfterMs ?? backOff(tries, policy, draw);
  return afterMs < remainingMs ? { kind: "retry", afterMs } : { kind: "next" };
}

/** True when the provider refused the credential, not the request: 401, 402, 403, or 429, which is one credential's limit. */
export function isCredentialFault(error: GatewayError): boolean {
  const status = error.upstream?.status;
  if (status === 429) return true;
  return isDeadCredential(error);
}

/** True when the provider refused the credential for good, as far as this request goes: 401, 402, 403, and 400s that say so. */
export function isDeadCredential(error: GatewayError): boolean {
  const status = error.upstream?.status;
  if (status === 400) return refusesKey(error);
  return (status === 401 || status === 402 || status === 403) && !isContentRefusal(error);
}

const keyWords = /^["']?(api key (not valid|not found|expired|is invalid)|(incorrect|invalid|expired) api key\b)/i;

/** True for a 400 that means the credential: Google's `API_KEY_INVALID` and xAI's "Incorrect API key provided". */
function refusesKey({ upstream }: GatewayError): boolean {
  if (upstream?.status !== 400) return false;
  const { code = "", type = "", message } = upstream;
  return /^(api_key_invalid|invalid_api_key)$/i.test(code || type) || keyWords.test(message);
}

/** What a provider threw that is no GatewayError: asking it again may do harm, another one may answer. */
function isProvidersDefect({ code, upstream }: GatewayError): boolean {
  return code === "upstream_error" && upstream === undefined;
}

function expectationOf(error: GatewayError): "same" | "next" | "never" {
  if (!error.upstream) return isProvidersDefect(error) ? "next" : errorTable[error.code].retry;
  const { status } = error.upstream;
  if (isContextTooLong(error) || refusesKey(error)) return "next";
  if (status === 400 || status === 422 || isContentRefusal(error)) return "never";
  return retriedStatuses.has(status) ? "same" : "next";
}

/** Jittered exponential back-off: between half and the whole of `baseMs` × 2^(tries − 1), at most `maxMs`. */
export function backOff(tries: number, policy: RetryPolicy, draw: number): number {
  const full = Math.min(policy.maxMs, policy.baseMs * 2 ** (tries - 1));
  return Math.round(full * (0.5 + draw / 2));
}

const contextWords =
  /context[ _-]?(length|window|limit|size)|prompt is too long|input is too long|maximum (context|number of tokens|prompt length|sequence length)|too many (input )?tokens|token count .*exceeds|exceeds? the (maximum|limit).*tokens|exceed(s|ed)? model token limit|prompt exceeds max length|range of input length should be|`?inputs`? tokens \+ `?max_new_tokens`? must be/i;

/** True when the provider says that the conversation does not fit the model's context. */
export function isContextTooLong({ upstream }: GatewayError): boolean {
  if (!upstream || ![400, 413, 422].includes(upstream.status)) return false;
  const { code, type, message } = upstream;
  return code === "context_length_exceeded" || type === "exceed_context_size_error" || contextWords.test(message);
}

const refusalCodes: ReadonlySet<string> = new Set([
  "content_policy_violation",
  "content_filter",
  "ResponsibleAIPolicyViolation",
]);

/** True when the provider refused the content itself; another provider is not tried with it. */
export function isContentRefusal({ upstream }: GatewayError): boolean {
  if (!upstream) return false;
  return refusalCodes.has(upstream.code ?? "") || refusalCodes.has(upstream.type ?? "");
}
