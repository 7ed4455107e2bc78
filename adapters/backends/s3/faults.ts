import { type ErrorCode, GatewayError, isGatewayError } from "../../../src/errors.ts";
import type { Abortable } from "../../../src/runtime/abortable.ts";
import { abortError, networkError } from "../../shared/http/failure.ts";
import { backendFailure } from "../shared/failure.ts";

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
  AccessDenied: ["backend_error", "The object store lets the project's key pair not do this (AccessDenied)."],
  InvalidAccessKeyId: [
    "backend_error",
    "The object store does not know the project's key pair: set it anew (InvalidAccessKeyId).",
  ],
  SignatureDoesNotMatch: [
    "backend_error",
    "The secret key of the project's key pair is not the right one: set it anew.",
  ],
  NotImplemented: ["not_implemented", "This object store cannot do this."],
  RequestTimeTooSkewed: [
    "backend_error",
    "The object store's clock differs from ours by too much (RequestTimeTooSkewed).",
  ],
};

interface SdkError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly statusCode?: number };
}

/** What the SDK threw, in the portal's words; `url` is the store's address. */
export function s3Failure(thrown: unknown, url: string, signal: Abortable): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  if (signal.aborted) return abortError(signal);
  const { name, code, $metadata, $response } = (thrown ?? {}) as SdkError; // seam: anything can be thrown; fields are looked at one by one
  const row = typeof name === "string" && Object.hasOwn(codes, name) ? codes[name] : undefined;
  if (row !== undefined) return new GatewayError(row[0], row[1], { param: row[2], cause: thrown });
  if (name === "TimeoutError" && code !== "ECONNRESET" && code !== "EPIPE")
    return new GatewayError("backend_timeout", "The object store did not answer in time.", { cause: thrown });
  const status = $metadata?.httpStatusCode ?? $response?.statusCode;
  if (status !== undefined) {
    const reported = typeof name === "string" && /^[A-Za-z]{1,60}$/.test(name) ? ` ${name}` : "";
    return new GatewayError("backend_error", `The object store answered ${status}${reported}, which cannot be used.`, {
      cause: thrown,
    });
  }
  return backendFailure(networkError(thrown, { url }, "before the answer"), "Object store") as GatewayError;
}

/** The name that S3 gives an error. */
export function faultName(thrown: unknown): string | undefined {
  const { name } = (thrown ?? {}) as SdkError; // seam: as above
  return typeof name === "string" ? name : undefined;
}
