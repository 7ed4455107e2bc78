import { type Logger, pino } from "pino";
import type { Scrub } from "../scrub.ts";
import { formatRecord, type LogRecord } from "./record.ts";

/** How a log is written. */
export interface LogOptions {
  readonly level: string;
  /** Lines for people, in place of JSON. */
  readonly isForPeople: boolean;
  readonly write: (line: string) => void;
  readonly scrub: Scrub;
}

/** Fields that are never shown, wherever an object that is logged has them. */
const hidden = ["apiKey", "authorization", "headers", "key", "password", "secret", "token"];

/** A pino log of one line per record, scrubbed of secrets. */
export function openLog({ level, isForPeople, write, scrub }: LogOptions): Logger {
  const stream = {
    write(line: string) {
      const clean = scrub(line);
      write(isForPeople ? formatRecord(JSON.parse(clean) as LogRecord) : clean);
    },
  };
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: hidden.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
    },
    stream,
  );
}
