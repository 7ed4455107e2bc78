import { errorTable } from "./api/errors/error-table.ts";

export { errorTable };

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

/** The middleware that refused, and its own word for why, such as `pii` or `timeout`. */
export interface BlockedContent {
  readonly middleware: string;
  readonly reason: string;
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
  /** Of `content_blocked`. */
  readonly blocked?: BlockedContent | undefined;
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
  /** Of `content_blocked`: who refused, and why. */
  readonly blocked: BlockedContent | undefined;

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
    this.blocked = details.blocked;
  }
}

/** Returns true for a `GatewayError` of any copy of this package. */
export function isGatewayError(value: unknown): value is GatewayError {
  return typeof value === "object" && value !== null && brand in value;
}

/** Returns a copy of the error with more details, for callers that know more than the code that threw (target, attempts). */
export function withDetails(error: GatewayError, details: ErrorDetails): GatewayError {
  const more = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  const copy = new GatewayError(error.code, error.message, { ...error, cause: error.cause, ...more });
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
