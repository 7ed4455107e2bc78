/** How a vendor says what is done about texts that are too long: a field and its values. */
export interface TruncationField {
  readonly field: string;
  readonly none: unknown;
  readonly end: unknown;
}

/** A vendor that may have such a field, and where to name what it cannot honour. */
interface TruncationTarget {
  readonly provider: string;
  /** Absent where it has no choice. */
  readonly truncation?: TruncationField | undefined;
  warn(warning: string): void;
}

/** Writes `truncate` in the vendor's words; values other than `none` and `end` are its own, and go as they are. */
export function writeTruncation(
  wire: Record<string, unknown>,
  truncate: string | undefined,
  { provider, truncation, warn }: TruncationTarget,
): void {
  if (truncate === undefined) return;
  if (truncate !== "none" && truncate !== "end") wire.truncate = truncate;
  else if (truncation) wire[truncation.field] = truncation[truncate];
  else warn(`\`truncate\` is not supported by ${provider}`);
}
