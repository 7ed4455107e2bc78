import type { Logger } from "pino";
import type { ErrorCode, GatewayError } from "../../errors.ts";
import type { Engine } from "../../index.ts";
import { type LogOptions, openLog } from "./log.ts";
import { watchParts } from "./watch.ts";

/** Failures that are the caller's own business, beside success. */
const ordinary: ReadonlySet<ErrorCode | "ok"> = new Set(["ok", "request_cancelled"] as const);

/** How a journal is kept. */
interface JournalOptions extends LogOptions {
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Opens the log. It gets a line for every request when it is over, what {@link watchParts} tells, and, at level `debug`, each try and
 * fallback. No prompt, answer or credential is in any event.
 */
export function openJournal(engine: Engine, options: JournalOptions): Logger {
  const log = openLog(options);
  watchParts({ engine, log, now: options.now });
  engine.on("settled", ({ request_type, ...event }) => {
    const level = event.reason === "internal" ? "error" : ordinary.has(event.reason) ? "info" : "warn";
    log[level](event, request_type);
  });
  if (!log.isLevelEnabled("debug")) return log; // an event that nobody listens to is not built
  engine.on("attempted", ({ request_type: _type, ...event }) => log.debug(event, "attempted"));
  engine.on("fell_back", ({ request_type: _type, ...event }) => {
    log.debug(event, `fell back from ${event.from} to ${event.to}`);
  });
  return log;
}

/** Writes a line for a request that failed before it was the engine's: an unknown path, a body that is no JSON. */
export function noteRefusal(
  log: Logger,
  error: GatewayError,
  { eventId, method, path }: { readonly eventId: string; readonly method: string; readonly path: string },
): void {
  if (error.eventId !== undefined) return; // the engine has told of it
  const refusal = { event_id: eventId, status: error.status, reason: error.code };
  if (error.code === "internal") log.error({ ...refusal, err: error.cause ?? error }, `${method} ${path}`);
  else log.warn(refusal, `${method} ${path}`);
}
