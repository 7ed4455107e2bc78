import { type Logger, pino } from "pino";
import type { Scrub } from "../terminal/redaction.ts";
import { formatRecord, type LogRecord } from "./log-line.ts";

/** How a log is written. */
export interface LogOptions {
  readonly level: string;
  /** Readable lines instead of JSON. */
  readonly isForPeople: boolean;
  readonly write: (line: string) => void;
  readonly scrub: Scrub;
}

/** Fields that are never shown, of an object that is logged and of those in it. */
const hidden: ReadonlySet<string> = new Set([
  "apiKey",
  "authorization",
  "headers",
  "key",
  "password",
  "secret",
  "token",
]);
const censored = "[redacted]";

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
      formatters: { level: (label) => ({ level: label }), log: (record) => hide(record, 1) },
      serializers: { err: (error: Error) => hide({ ...pino.stdSerializers.err(error) }, 0) },
    },
    stream,
  );
}

type LogFields = Record<string, unknown>;

/** A record without what is never shown, down to so many levels below it. Not pino's own `redact`, which takes longer than all the rest. */
function hide(record: LogFields, levels: number): LogFields {
  let clean: LogFields | undefined;
  for (const [name, value] of Object.entries(record)) {
    const shown = hidden.has(name) ? censored : levels > 0 && isOpen(name, value) ? hide(value, levels - 1) : value;
    if (shown === value) continue;
    clean ??= { ...record };
    clean[name] = shown;
  }
  return clean ?? record;
}

/** Whether a field is looked into here: what stands in `err` is written by its serializer, which needs the error itself and hides what it has. */
function isOpen(name: string, value: unknown): value is LogFields {
  return name !== "err" && typeof value === "object" && value !== null;
}
