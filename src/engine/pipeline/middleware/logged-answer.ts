import type { ToolCallResponse } from "../../api/mcp/call.ts";
import type { MiddlewareAnswer } from "../../ports/middleware/middleware.ts";
import { noteResult } from "../accounting/tool-content.ts";
import type { Call } from "../call/call.ts";
import { type ActiveMiddleware, activeFor } from "./active.ts";

/** How guards pass an answer. */
type PassGuards = (active: readonly ActiveMiddleware[], answer: MiddlewareAnswer) => Promise<MiddlewareAnswer>;

/** A call whose answer passed its guards, and whether they had changed its request. */
interface PassedCall {
  readonly call: Call;
  readonly isRequestChanged: boolean;
}

/**
 * Notes the answer of a tool for a key that logs contents. Guards that changed the request may have put back in the answer what they took
 * out there: the same guards, without a memory of the request, take it out of what is logged. Where they refuse that, nothing is logged.
 */
export async function noteAnswer({ call, isRequestChanged }: PassedCall, answer: object, pass: PassGuards) {
  if (!call.facts?.toolContent) return;
  if (!isRequestChanged) return noteResult(call, answer);
  const fresh = activeFor(call, "tool", {});
  const logged = await pass(fresh, answer as ToolCallResponse).catch(() => undefined); // the caller gets the answer all the same
  if (logged) noteResult(call, logged);
}
