import { ErrorBody } from "../../../src/engine/api/error.ts";
import { type ErrorCode, errorTable, GatewayError } from "../../../src/engine/errors.ts";
import type { WireAnswer } from "../../../src/engine/ports/transport.ts";
import { createRedactor } from "../../../src/engine/runtime/redaction.ts";
import { secretsOf } from "../../../src/engine/runtime/request-secrets.ts";
import type { Operation } from "../../../src/operations/define.ts";
import { parseJson } from "../../shared/http/fault.ts";

/** What an upstream says of the call itself is passed on; what it says of our token, our region or itself is a fault of the back end. */
const passedOn: readonly ErrorCode[] = [
  "invalid_request",
  "request_too_large",
  "not_found",
  "conflict",
  "quota_exceeded",
  "not_implemented",
  "backend_error",
  "backend_timeout",
  "backend_unreachable",
];

/** The answer of an operation, checked against its row; a refusal is thrown as ours. */
export function answerOf(operation: Operation, answer: WireAnswer): unknown {
  const { status, body } = answer;
  if (status >= 400) throw refusalError(answer);
  if (status !== 200 && status !== 204) throw unreadable(`status ${status}`);
  const { output } = operation;
  if (output === undefined) return undefined;
  const checked = output.safeParse(parseJson(body));
  if (checked.success) return checked.data;
  throw unreadable(`no answer of ${operation.method} ${operation.path}`);
}

/** A refusal without the token and the service credential that the request has carried. */
export function withoutSecrets(answer: WireAnswer, headers: Readonly<Record<string, string>>): WireAnswer {
  return answer.status < 400 ? answer : { ...answer, body: createRedactor(secretsOf(headers))(answer.body) };
}

function refusalError({ status, headers, body }: WireAnswer): GatewayError {
  const parsed = ErrorBody.safeParse(parseJson(body));
  if (!parsed.success) throw unreadable(`status ${status} without an error of a portal`);
  const { type, error, event_id } = parsed.data;
  const code = passedOn.find((one) => one === type);
  const seconds = Number(headers["retry-after"]);
  const retryAfterMs = seconds > 0 ? seconds * 1_000 : undefined;
  if (code !== undefined) {
    return new GatewayError(code, error.message.slice(0, 4_000), { param: error.param ?? undefined, retryAfterMs });
  }
  const named = Object.hasOwn(errorTable, type) ? type : "an unknown error";
  const mark = /^[\w-]{1,80}$/.test(event_id) ? ` (its event ${event_id})` : "";
  const hint = error.param === "authorization" ? serviceHint : (hints[type] ?? "");
  const message = `The portal behind this region refuses the gateway's call: ${named}${mark}. ${hint}`.trim();
  return new GatewayError("backend_error", message, { retryAfterMs });
}

const serviceHint = "Set `service` of the back end to the service credential of the gateway there.";

const hints: Readonly<Record<string, string>> = {
  permission_denied: "Give the token of the back end this permission there.",
  token_required: "Set the token of the back end.",
  token_not_found: "The token of the back end is unknown there.",
  token_expired: "The token of the back end is over.",
  region_unknown: "Set `region` of the back end to a code that it knows.",
};

function unreadable(what: string): GatewayError {
  return new GatewayError(
    "backend_error",
    `The portal behind this region gave an answer that cannot be read: ${what}.`,
  );
}
