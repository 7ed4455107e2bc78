/** Formats of an exported file. */
export const exportFormats = ["parquet", "jsonl"] as const;

/** A format of a file. */
export type ExportFormat = (typeof exportFormats)[number];
