import { GatewayError } from "../../errors.ts";
import type { SlotLimit } from "../../ports/slots.ts";
import type { Place } from "../runtime/admission.ts";
import type { KeyLease, Leases } from "../runtime/leases.ts";
import type { Call } from "./call.ts";
import { withinDeadline } from "./within-deadline.ts";

/**
 * Gives the call its place among those under way: within the bounds of its key, project and customer, then within the process's own. The
 * call leaves it when it is settled. Throws `concurrency_limited` when too many wait, or the call has waited too long. `undefined` when
 * there is a place at once, as there mostly is.
 */
export function admit(call: Call): Promise<void> | undefined {
  const { access, ports } = call;
  if (access?.inFlight !== undefined) return admitWithin(call, access.keyId, access.inFlight);
  const entered = ports.accounting.admission.queue.enter(access?.keyId ?? "", 1);
  if (entered.kind === "waiting") return waitForPlace(call, entered);
  call.place = entered;
  return undefined;
}

type Entered = ReturnType<Call["ports"]["accounting"]["admission"]["queue"]["enter"]>;

async function waitForPlace(call: Call, entered: Extract<Entered, { kind: "waiting" }>): Promise<void> {
  call.place = await withinDeadline(call, entered.admitted, () => entered.cancel(left()));
}

async function admitWithin(call: Call, keyId: string, limits: readonly SlotLimit[]): Promise<void> {
  const { leases, queue } = call.ports.accounting.admission;
  if (!leases) {
    const problem = "A key, project or customer has `max_in_flight`, and the `counters` cannot count calls under way.";
    throw new GatewayError("invalid_configuration", problem, { param: "counters" });
  }
  const lease: KeyLease = { id: call.ports.ids(), keyId, limits }; // not the call's own id, which its caller may choose
  await takeSlots(call, leases, lease);
  let own: Place | undefined;
  call.place = {
    leave() {
      leases.free(lease);
      own?.leave();
    },
  };
  const entered = queue.enter(keyId, 1);
  own = entered.kind === "pass" ? entered : await withinDeadline(call, entered.admitted, () => entered.cancel(left()));
}

async function takeSlots(call: Call, leases: Leases, lease: KeyLease): Promise<void> {
  const asked = leases.take(lease);
  const late = () =>
    void Promise.resolve(asked)
      .then(() => leases.free(lease))
      .catch(() => {});
  const isTaken = asked instanceof Promise ? await withinDeadline(call, asked, late) : asked;
  if (isTaken) return;
  const waiting = leases.wait(lease);
  await withinDeadline(call, waiting.admitted, () => waiting.cancel(left()));
}

function left(): GatewayError {
  return new GatewayError("request_cancelled", "The call ended while it waited.");
}
