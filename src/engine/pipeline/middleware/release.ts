import type { MaybePromise } from "../../runtime/maybe-promise.ts";
import { type CallOutcome, settleCall } from "../accounting/settle.ts";
import type { Call } from "../call/call.ts";

/** Settles a call whose outcome was held for its middleware. */
export function releaseCall(call: Call): MaybePromise<void> {
  const { middleware: hold } = call;
  if (!hold) return;
  hold.isBusy = false;
  if (hold.outcome) return settleCall(call, hold.outcome as CallOutcome); // held by settleCall
}
