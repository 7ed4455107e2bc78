import type { RequestType } from "../../engine/api/common.ts";
import type { RateLimits } from "../../engine/engine.ts";
import { type GatewayError, toGatewayError } from "../../engine/errors.ts";
import type { JsonSource } from "../../engine/runtime/json/json-source.ts";
import { notifySafely } from "../../engine/runtime/notify.ts";
import type { Operation } from "../../operations/define.ts";
import type { LocalizedError } from "../../portal/i18n/error-texts.ts";
import type { HttpRequest, HttpResponse } from "../message.ts";
import { nameFields, type Origins } from "../request/field-names.ts";
import { type FailedRequest, toErrorBody } from "./errors.ts";
import { toFrame } from "./sse.ts";

/** Where an operation is and how it is answered over HTTP. */
export interface Endpoint {
  readonly operation: Pick<Operation, "method" | "path">;
  /** Rejects with whatever went wrong; the handler makes the error answer. */
  answer(context: RequestContext): Promise<HttpResponse>;
}

/** One request on its way to its answer. */
export interface RequestContext extends FailedRequest {
  /** With the operation's own path, where it was asked by another name. */
  request: HttpRequest;
  /** Values of the path's parameters, decoded; filled in by the router. */
  params: Readonly<Record<string, string>>;
  /** These are filled in as they become known, for the body of an error. */
  requestType: RequestType | undefined;
  model: string | undefined;
  /** The provider that a model name without one belongs to, where the request came in that vendor's dialect. */
  vendor: string | undefined;
  /** The caller's names of our fields, where the request came in a vendor's dialect. */
  origins: Origins | undefined;
  /** The error in the reader's language, where the portal failed the request. */
  localized?: LocalizedError | undefined;
  /** What its body was read from. */
  source: JsonSource | undefined;
  /** Where the caller's key stands in its windows. */
  rates: RateLimits | undefined;
  readonly report: FailureReport | undefined;
  /** Facts of its caller, for logs. */
  readonly caller: Readonly<Record<string, string>> | undefined;
}

/** Called for every failed request, also after its status was sent; what must not be shown is in `error.cause`. */
export type FailureReport = (error: GatewayError, request: FailedExchange) => void;

/** Which request failed. */
interface FailedExchange {
  readonly eventId: string;
  readonly method: string;
  readonly path: string;
  /** What `describeCaller` said. */
  readonly caller?: Readonly<Record<string, string>> | undefined;
}

/** What was thrown as an error of the table, reported. A report that fails itself, also later, breaks nothing. */
export function readFailure(
  thrown: unknown,
  { eventId, request, origins, report, caller }: RequestContext,
): GatewayError {
  const error = nameFields(toGatewayError(thrown), origins);
  notifySafely(() => report?.(error, { eventId, method: request.method, path: request.path, caller }));
  return error;
}

/** The error frame of a stream that fails after its status was sent. */
export function toFailureFrame(thrown: unknown, context: RequestContext): string {
  return toFrame(toErrorBody(readFailure(thrown, context), context));
}
