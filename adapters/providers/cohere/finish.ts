import { failureStatus, readFinishReason } from "../../../src/engine/dialects/cohere/finish-reasons.ts";
import type { Translation } from "../../shared/chat/fields.ts";

/** The `finish_reason` of an answer; an unknown reason counts as `stop`, with a warning. */
export function finishReasonOf(reason: string | undefined, { call }: Translation): string | null {
  if (reason === undefined) return null;
  const known = readFinishReason(reason);
  if (known === undefined) call.warn(`the finish reason ${JSON.stringify(reason)} is unknown and counts as stop`);
  return known ?? "stop";
}

/** True for a reason that fails the request. */
export function isFailure(reason: string | undefined): boolean {
  return failureStatus(reason) !== undefined;
}
