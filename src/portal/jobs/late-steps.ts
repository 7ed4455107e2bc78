import type { TakeBackStep } from "../../operations/records/cloud.ts";

/** Milliseconds after which an operation that has not reported is over, and a request that was not answered has no effect any more. */
export const overAfterMs = 10 * 60_000;

/**
 * True for a step about something whose creation, or disabling, was not answered: a look that does not find it proves nothing, since the
 * cloud may carry out later what waits in its queues.
 */
export function isOfLostAnswer(step: TakeBackStep): boolean {
  if (step.kind === "delete_project") return step.project_id === null;
  return step.kind === "delete_user" || step.is_unanswered === true;
}
