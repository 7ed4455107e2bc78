import { type ErrorCode, GatewayError, isGatewayError } from "../../../../src/engine/errors.ts";
import type { WireAnswer } from "../../../../src/engine/ports/transport.ts";
import { parseJson } from "../../../shared/http/fault.ts";
import { ReportedFault } from "../../shared/failure.ts";
import { rowOf, type ServiceName } from "./apis.ts";
import type { FaultShape } from "./fault-bodies.ts";
import { wordsOfRefusal } from "./refusal-words.ts";

/** Longest text of a service that is kept for the log. */
const longest = 1_000;

/** What a refusal means to the caller of the portal where the status alone says it. */
const codeOfStatus: Readonly<Record<number, ErrorCode>> = { 400: "invalid_request", 404: "not_found", 409: "conflict" };

/** Refused inputs that are in truth about a state: Cinder and Nova answer 400 where the portal says 409. */
const stateWords =
  /already used and reserved|(volume|backup|snapshot).*(status must be|must be (available|in-use|error))/is;

/** The portal's code of a refusal (portal-backends.md, section 1). What is refused by policy is our own token's fault, not the caller's. */
function codeOfRefusal(service: ServiceName, status: number, fault: FaultShape): ErrorCode {
  if (rowOf(service).isOverQuota(status, fault)) return "quota_exceeded";
  const code = codeOfStatus[status] ?? "backend_error";
  return code === "invalid_request" && stateWords.test(fault.message ?? "") ? "conflict" : code;
}

const refusals: ReadonlySet<ErrorCode> = new Set([
  "invalid_request",
  "not_found",
  "conflict",
  "quota_exceeded",
  "not_implemented",
  "invalid_configuration",
]);

/**
 * Whether a request may have been carried out although it failed: its answer never came, or was a server's fault. A clean refusal has
 * changed nothing, and nothing must be taken back after it: what is there under the same name is somebody else's.
 */
export function isUnanswered(thrown: unknown): boolean {
  return !(isGatewayError(thrown) && refusals.has(thrown.code));
}

/** An answer that was no success, and what was asked. */
export interface ServiceRefusal {
  readonly service: ServiceName;
  readonly answer: WireAnswer;
  /** The request held a secret: some services quote a refused body, so that nothing of theirs is passed on. */
  readonly isSecret?: boolean | undefined;
}

/**
 * The error of a refused request in our words. The service's own, with the id under which its log has the request, are the cause. A page
 * in place of JSON is a proxy's: its 404 says nothing of the thing that was asked for.
 */
export function refusalError({ service, answer, isSecret }: ServiceRefusal): GatewayError {
  const { title, readFault } = rowOf(service);
  const parsed = parseJson(answer.body);
  if (parsed === undefined && answer.body.trim() !== "") return unreadableError(service, answer, "an error page");
  const fault = readFault(parsed);
  const code = codeOfRefusal(service, answer.status, fault ?? {});
  const reported = isSecret ? undefined : (fault?.message ?? fault?.kind)?.slice(0, longest);
  const detail = reported === undefined ? kindOfBody(answer, fault) : `: ${reported.replace(/[.\s]+$/, "")}`;
  const cause = new ReportedFault(`${title} answered ${answer.status}${detail}${requestMark(answer)}.`);
  const words = wordsOfRefusal(code, reported) ?? "The service could not do this";
  const hint = answer.status === 406 ? " Set `microversions` to what it offers." : "";
  return new GatewayError(code, `${words} (${title}, ${answer.status}).${hint}`, { cause });
}

function kindOfBody({ headers }: WireAnswer, fault: FaultShape | undefined): string {
  const type = headers["content-type"]?.split(";")[0];
  return fault !== undefined || type === undefined ? "" : ` with ${type}`;
}

/** The id under which the service has logged the request, as a part of a message. */
function requestMark({ headers }: Pick<WireAnswer, "headers">): string {
  const id = headers["x-openstack-request-id"] ?? headers["x-compute-request-id"];
  return id === undefined || !/^[\w-]{1,80}$/.test(id) ? "" : ` (request ${id})`;
}

/** The error of an answer that is none: HTML, a redirect, JSON of another shape. */
export function unreadableError(service: ServiceName, answer: WireAnswer, what: string): GatewayError {
  const type = answer.headers["content-type"]?.split(";")[0] ?? "no content type";
  const message = `${rowOf(service).title} gave an answer that cannot be read: ${what}, status ${answer.status}, ${type}`;
  return new GatewayError("backend_error", `${message}.`, {
    cause: new ReportedFault(`${message}${requestMark(answer)}.`),
  });
}
