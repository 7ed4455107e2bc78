import { GatewayError } from "../../errors.ts";
import { present } from "../../policy/drafts.ts";
import type { Timeouts } from "../../ports/provider.ts";
import { type CallOptions, checkCallOptions } from "./options.ts";

/** The deadlines of a call, whose options are checked. */
export function timeoutsOfCall(base: Timeouts, options: CallOptions): Timeouts {
  checkCallOptions(options);
  return options.timeouts ? readTimeouts(base, options.timeouts) : base;
}

/** The engine's deadlines, overridden by the call's own; throws `invalid_request` for an invalid duration. */
function readTimeouts(base: Timeouts, own: Partial<Timeouts>): Timeouts {
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || (name in base && typeof value === "number" && value > 0)) continue;
    const param = `timeouts.${name}`;
    throw new GatewayError("invalid_request", `\`${param}\`: must be a positive number of milliseconds.`, { param });
  }
  return { ...base, ...present({ ...own }) };
}
