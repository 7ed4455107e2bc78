import type { ExtraFields } from "../api/common.ts";
import type { Usage } from "../api/usage.ts";
import { type GatewayError, toGatewayError, withDetails } from "../errors.ts";
import { announce } from "../events.ts";
import { type Attempt, endAttempt, type Served } from "./attempt.ts";
import { type Call, settleCall } from "./call.ts";

/** Who served and how long it took, in milliseconds. */
export function extraFields(call: Call, attempt: Attempt, latency: number): ExtraFields {
  return {
    request_type: call.requestType,
    provider: attempt.target.provider,
    model_requested: call.modelRequested,
    model_deployment: attempt.model,
    latency,
  };
}

/** Adds what was exchanged with the provider, when the caller asked for it. */
export function addRaw(extra: ExtraFields, { raw }: Attempt): void {
  if (!raw) return;
  extra.raw_request = raw.request;
  extra.raw_response = raw.response;
}

/** Closes a whole answer: settles the call and says who served. */
export async function deliverWhole<Answer extends { usage?: Usage | undefined }>(
  call: Call,
  { attempt, answer }: Served<Answer>,
): Promise<Answer & { extra_fields: ExtraFields }> {
  endAttempt(call, attempt);
  const { warnings, target } = attempt;
  const extra = extraFields(call, attempt, call.ports.clock.now() - call.startedAt);
  if (warnings.length > 0) extra.warnings = warnings;
  addRaw(extra, attempt);
  settleCall(call, { status: 200, reason: "ok", target: target.name, usage: answer.usage, warnings });
  return { ...answer, extra_fields: extra };
}

function announceDefect(call: Call, error: GatewayError): void {
  announce(call.ports.events, "defect", () => ({
    event_id: call.id,
    request_type: call.requestType,
    model_requested: call.modelRequested,
    error: error.cause ?? error,
  }));
}

/** Closes a call that failed and gives back the error to throw. */
export function settleFailure(call: Call, thrown: unknown): GatewayError {
  const error = withDetails(toGatewayError(thrown), { model: call.modelRequested || undefined, eventId: call.id });
  if (error.code === "internal") announceDefect(call, error);
  settleCall(call, { status: error.status, reason: error.code });
  return error;
}
