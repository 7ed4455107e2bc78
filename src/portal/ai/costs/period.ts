import { GatewayError } from "../../../engine/errors.ts";

/** A span of time in milliseconds since the epoch: `from` is included, `to` is not. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The period that a call names, in RFC 3339. */
interface PeriodInput {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/**
 * Returns [start, end). `start` defaults to the first instant of the current calendar month in UTC, `end` to that of the next month.
 * Throws `invalid_request` for an empty period.
 */
export function readPeriod({ start, end }: PeriodInput, now: number): Period {
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const from = start === undefined ? Date.UTC(year, month) : Date.parse(start);
  const to = end === undefined ? Date.UTC(year, month + 1) : Date.parse(end);
  if (from < to) return { from, to };
  const [param, other] = end === undefined ? ["start", "end"] : ["end", "start"];
  const message = `\`${param}\`: must be ${param === "end" ? "later" : "earlier"} than \`${other}\`, which is ${new Date(param === "end" ? from : to).toISOString()}.`;
  throw new GatewayError("invalid_request", message, { param });
}
