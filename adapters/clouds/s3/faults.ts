import { type ErrorCode, GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type { Abortable } from "../../../src/engine/runtime/abortable.ts";
import { abortError, networkError } from "../../shared/http/failure.ts";
import { backendFailure, ReportedFault } from "../shared/failure.ts";

/** What the names of S3's errors mean to a caller; Ceph leaves their messages empty. */
const codes: Readonly<Record<string, readonly [ErrorCode, string, string?]>> = {
  NoSuchBucket: ["not_found", "There is no such bucket.", "bucket"],
  NoSuchKey: ["not_found", "There is no such object.", "key"],
  NotFound: ["not_found", "There is no such object.", "key"],
  BucketNotEmpty: ["conflict", "The bucket is not empty."],
  BucketAlreadyExists: ["conflict", "The bucket belongs to somebody else."],
  OperationAborted: ["conflict", "Somebody else is changing the bucket: try again."],
  InvalidBucketName: ["invalid_request", "The bucket cannot have this name.", "bucket"],
  QuotaExceeded: ["quota_exceeded", "The quota of the object store is used up."],
  AccessDenied: ["backend_error", "The object store does not let the project's key pair do this."],
  InvalidAccessKeyId: ["backend_error", "The object store does not know the project's key pair: set it anew."],
  SignatureDoesNotMatch: [
    "backend_error",
    "The secret key of the project's key pair is not the right one: set it anew.",
  ],
  NotImplemented: ["not_implemented", "This object store cannot do this."],
  RequestTimeTooSkewed: ["backend_error", "The object store's clock differs from ours by too much."],
  InvalidArgument: ["invalid_request", "The object store refused the input as invalid."],
  KeyTooLongError: ["invalid_request", "The key is longer than the object store allows.", "key"],
  MalformedPolicy: ["invalid_request", "The object store refused the policy of the bucket."],
  SlowDown: ["backend_error", "The object store is busy: try again in a moment."],
  ServiceUnavailable: ["backend_error", "The object store is busy: try again in a moment."],
};

interface SdkError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
  readonly $response?: { readonly statusCode?: number };
}

/** Longest text of a store that is kept for the log. */
const longest = 1_000;

/**
 * What the SDK threw, in the portal's words; `url` is the store's address. The store's own words, with the id under which its log has the
 * request, are the cause: they name requests, hosts and policies.
 */
export function s3Failure(thrown: unknown, url: string, signal: Abortable): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  if (signal.aborted) return abortError(signal);
  const { name, code, $metadata, $response } = (thrown ?? {}) as SdkError; // seam: anything can be thrown; fields are looked at one by one
  const row = typeof name === "string" && Object.hasOwn(codes, name) ? codes[name] : undefined;
  const status = $metadata?.httpStatusCode ?? $response?.statusCode;
  if (row !== undefined) return new GatewayError(row[0], row[1], { param: row[2], cause: reportOf(thrown, status) });
  if (name === "TimeoutError" && code !== "ECONNRESET" && code !== "EPIPE")
    return new GatewayError("backend_timeout", "The object store did not answer in time.", { cause: thrown });
  if (status !== undefined) {
    const message = `The object store could not do this (${status}).`;
    return new GatewayError("backend_error", message, { cause: reportOf(thrown, status) });
  }
  return backendFailure(networkError(thrown, { url }, "before the answer"), "Object store") as GatewayError;
}

function reportOf(thrown: unknown, status: number | undefined): ReportedFault {
  const { name, message, $metadata } = thrown as SdkError; // seam: as above
  const words = [name, message].filter((word) => typeof word === "string" && word !== "").join(": ");
  const request = $metadata?.requestId === undefined ? "" : ` (request ${$metadata.requestId})`;
  return new ReportedFault(`The object store answered ${status}: ${words}`.slice(0, longest) + request, {
    cause: thrown,
  });
}

/** The name that S3 gives an error. */
export function faultName(thrown: unknown): string | undefined {
  if (thrown instanceof ReportedFault) return faultName(thrown.cause);
  const { name } = (thrown ?? {}) as SdkError; // seam: as above
  return typeof name === "string" ? name : undefined;
}
