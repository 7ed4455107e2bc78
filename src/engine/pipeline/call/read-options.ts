import { GatewayError } from "../../errors.ts";
import type { Hedge } from "../../options.ts";
import { present } from "../../policy/drafts.ts";
import type { Timeouts } from "../../ports/provider.ts";
import { durationIn } from "../../runtime/duration.ts";
import { type CallOptions, checkCallOptions } from "./options.ts";

/** The options of a call, checked, with their durations in milliseconds. */
export type CheckedCallOptions = Omit<CallOptions, "timeouts" | "hedge"> & {
  readonly timeouts?: Partial<Timeouts> | undefined;
  readonly hedge?: Hedge | undefined;
};

/** Checks the options of a call; throws `invalid_request` with the path of the first that is unknown or invalid. */
export function readCallOptions(options: CallOptions): CheckedCallOptions {
  checkCallOptions(options);
  if (hasNoDurations(options)) return options;
  const { timeouts, hedge, ...others } = options;
  return {
    ...others,
    timeouts: timeouts && readTimeouts(timeouts),
    hedge: hedge && { after_ms: readMilliseconds("hedge.after_ms", hedge.after_ms) },
  };
}

function hasNoDurations(options: CallOptions): options is CheckedCallOptions {
  return options.timeouts === undefined && options.hedge === undefined;
}

const names: ReadonlySet<string> = new Set<keyof Timeouts>([
  "connect",
  "firstContent",
  "firstContentMax",
  "gap",
  "whole",
]);

function readTimeouts(own: NonNullable<CallOptions["timeouts"]>): Partial<Timeouts> {
  const read = Object.entries(present({ ...own })).map(([name, value]) => {
    const param = `timeouts.${name}`;
    if (!names.has(name)) throw refuse(param, `is unknown; there are ${[...names].join(", ")}`);
    return [name, readMilliseconds(param, value)];
  });
  return Object.fromEntries(read);
}

function readMilliseconds(param: string, value: unknown): number {
  const ms = typeof value === "number" || typeof value === "string" ? durationIn("ms", value) : undefined;
  if (ms !== undefined && ms > 0) return ms;
  throw refuse(param, 'must be a positive number of milliseconds, or text with its unit, like "10s"');
}

function refuse(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
