import { errorTable } from "./api/errors/error-table.ts";

export { errorTable };

/** A code of {@link errorTable}; the `type` of the error body. */
export type ErrorCode = keyof typeof errorTable;

/** The provider's own error, verbatim. */
export interface UpstreamFault {
  /** The HTTP status of the provider's answer. */
  readonly status: number;
  /** The provider's own class of the error. */
  readonly type?: string | undefined;
  /** The provider's own code of the error. */
  readonly code?: string | undefined;
  /** The field of the request that the provider found at fault. */
  readonly param?: string | undefined;
  /** The provider's own words. */
  readonly message: string;
}

/** The result of one target; `error.attempts` lists them for a failed call. */
export interface AttemptReport {
  /** `provider/model`. */
  readonly target: string;
  /** The HTTP status that this target alone would have led to; 200 where it served. */
  readonly status: number;
  /** The code of its failure; `ok` where it served. */
  readonly reason: ErrorCode | "ok";
  /** Duration of this target in milliseconds, including retries. */
  readonly milliseconds: number;
  /** How often the target was asked, where that was more than once. */
  readonly tries?: number | undefined;
}

/** The middleware that refused, and its own word for why, such as `pii` or `timeout`. */
export interface BlockedContent {
  /** The `name` of the middleware. */
  readonly middleware: string;
  /** Its own word for why it refused, for programs. */
  readonly reason: string;
}

/** Optional details of an error. */
export interface ErrorDetails {
  /** Dotted path of the offending field, e.g. `messages.0.role`. */
  readonly param?: string | undefined;
  /** The name of the provider that failed. */
  readonly provider?: string | undefined;
  /** The model as named in the request. */
  readonly model?: string | undefined;
  /** The provider's own error. */
  readonly upstream?: UpstreamFault | undefined;
  /** Milliseconds to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined;
  /** One report for each target that was asked, in order. */
  readonly attempts?: readonly AttemptReport[] | undefined;
  /** The request's id, as in the events and in `x-tg-event-id`. */
  readonly eventId?: string | undefined;
  /** Of `content_blocked`. */
  readonly blocked?: BlockedContent | undefined;
  /** What was thrown underneath, for logs; it is shown to no caller. */
  readonly cause?: unknown;
}

const brand: unique symbol = Symbol.for("tollgate.GatewayError") as never;

/** Every failure that tollgate reports. Use {@link isGatewayError} to recognise it: the brand is the same across copies of the package. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly [brand] = true;
  /** A code of the closed {@link errorTable}; programs branch on it. */
  readonly code: ErrorCode;
  /** The HTTP status: the table's, or the provider's own for `upstream_error`. */
  readonly status: number;
  /** Dotted path of the field at fault, e.g. `messages.0.role`; absent where no field is. */
  readonly param: string | undefined;
  /** The name of the provider that failed; absent where none was asked. */
  readonly provider: string | undefined;
  /** The model as the request named it. */
  readonly model: string | undefined;
  /** The provider's own error, verbatim. */
  readonly upstream: UpstreamFault | undefined;
  /** Milliseconds to wait before the next attempt; absent where none is stated. */
  readonly retryAfterMs: number | undefined;
  /** One report for each target that was asked, in order; empty where none was. */
  readonly attempts: readonly AttemptReport[];
  /** The request's id, as in the events and in `x-tg-event-id`. */
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
