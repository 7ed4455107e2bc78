/** The levels of the log, most urgent first. */
export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
