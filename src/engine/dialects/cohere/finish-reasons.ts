import type { FinishReason } from "../finish-reason.ts";

/** The vendor's finish reasons and ours. */
const finishReasons = {
  COMPLETE: "stop",
  STOP_SEQUENCE: "stop",
  MAX_TOKENS: "length",
  TOOL_CALL: "tool_calls",
} as const satisfies Record<string, FinishReason>;

/** Reasons that end no answer but fail the request, and the HTTP status of the same failure. */
const failures = { ERROR: 500, TIMEOUT: 504 } as const;

export type CohereFinishReason = keyof typeof finishReasons | keyof typeof failures;

/** Our finish reasons in the vendor's words. It has none for filtered content, which is an error here because the answer is not complete. */
const vendorReasons: Readonly<Record<FinishReason, CohereFinishReason>> = {
  stop: "COMPLETE",
  length: "MAX_TOKENS",
  tool_calls: "TOOL_CALL",
  content_filter: "ERROR",
  error: "ERROR",
};

const byVendorReason: ReadonlyMap<string, FinishReason> = new Map(Object.entries(finishReasons));
const statuses: ReadonlyMap<string, number> = new Map(Object.entries(failures));

/** Every finish reason of the vendor. */
export const cohereFinishReasons: readonly string[] = [...byVendorReason.keys(), ...statuses.keys()];

/** The finish reason of an answer; `undefined` for one that is unknown, or that fails the request ({@link failureStatus}). */
export function readFinishReason(reason: string): FinishReason | undefined {
  return byVendorReason.get(reason);
}

/** The HTTP status of a reason that fails the request; `undefined` for every other. */
export function failureStatus(reason: string | undefined): number | undefined {
  return reason === undefined ? undefined : statuses.get(reason);
}

/** The vendor's finish reason. */
export function writeFinishReason(reason: FinishReason): CohereFinishReason {
  return vendorReasons[reason];
}
