import { UsageError } from "../../server/terminal/usage-error.ts";
import { readInstant } from "../records/time.ts";

const dayMs = 86_400_000;

/** What the options say of a period. */
interface RangeValues {
  readonly from?: string;
  readonly to?: string;
}

/** The time to sum over; without a beginning, 30 days up to the end of it. */
export function readRange({ from, to }: RangeValues, now: number) {
  const read = (option: string, text: string) => readInstant(option, text, { now, direction: "back" });
  const end = to === undefined ? now + 1 : read("--to", to);
  const today = Math.floor((end - 1) / dayMs) * dayMs;
  const begin = from === undefined ? today - 29 * dayMs : read("--from", from);
  if (begin < end) return { from: begin, to: end };
  if (to !== undefined) throw new UsageError("--from must be before --to.", "");
  throw new UsageError("--from is in the future.", "Without --to, the report ends now.");
}
