import { GatewayError } from "../../../errors.ts";

/** A span of time in milliseconds since the epoch: `from` belongs to it, `to` does not. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** What is asked of the time; RFC 3339. */
interface Asked {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/**
 * [start, end); what is not said is the first instant of the current calendar month in UTC, or that of the next. Throws
 * `invalid_request` for a period that has nothing in it.
 */
export function readPeriod({ start, end }: Asked, now: number): Period {
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const from = start === undefined ? Date.UTC(year, month) : Date.parse(start);
  const to = end === undefined ? Date.UTC(year, month + 1) : Date.parse(end);
  if (from < to) return { from, to };
  const [param, other] = end === undefined ? ["start", "end"] : ["end", "start"];
  const message = `\`${param}\`: leaves no time between \`start\` and \`end\`; \`${other}\` is ${new Date(param === "end" ? from : to).toISOString()}.`;
  throw new GatewayError("invalid_request", message, { param });
}
