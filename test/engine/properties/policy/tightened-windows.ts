import type { ResetDuration } from "../../../../src/engine/api/governance.ts";

/** An amount per window. */
export interface Window {
  readonly max: number;
  readonly duration: ResetDuration;
  /** Windows of the UTC calendar instead of windows that begin with the first use. */
  readonly isAligned: boolean;
}

const minute = 60_000;
const lengths: Readonly<Partial<Record<ResetDuration, number>>> = {
  "1m": minute,
  "1h": 60 * minute,
  "1d": 1_440 * minute,
  "1w": 7 * 1_440 * minute,
};

/** When the window ends that an instant lies in, or begins. */
export function nextWindow({ duration, isAligned }: Window, at: number): number {
  const ms = lengths[duration];
  const date = new Date(at);
  if (ms === undefined && isAligned) return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  if (ms === undefined) return at + 28 * 1_440 * minute; // a month is at least that
  return isAligned ? (Math.floor(at / ms) + 1) * ms : at + ms;
}
