import { toGatewayError, withDetails } from "../../errors.ts";
import type { Ports } from "../runtime/ports.ts";
import { authenticate } from "./authenticate.ts";
import { assertOpen, type Call, type CallInput, openCall, unlisten } from "./call.ts";

/**
 * Does work for an identified caller that is free: in no budget, no window and no ledger. Rejects with a `GatewayError` that names the
 * request.
 */
export async function asFreeCall<Value>(
  ports: Ports,
  input: CallInput,
  work: (call: Call) => Promise<Value>,
): Promise<Value> {
  const call = openCall(ports, "chat_completion", input);
  try {
    assertOpen(call);
    await authenticate(call, input.options.key);
    return await work(call);
  } catch (thrown) {
    throw withDetails(toGatewayError(thrown), { model: call.modelRequested || undefined, eventId: call.id });
  } finally {
    call.isSettled = true;
    unlisten(call);
    ports.calls.remove(call);
  }
}
