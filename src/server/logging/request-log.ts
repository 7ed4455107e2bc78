import type { Logger } from "pino";
import { addressOfFailure, type ErrorCode, type GatewayError } from "../../engine/errors.ts";
import type { LedgerBacklog } from "../../engine/ports/ledger.ts";
import type { Engine } from "../../http/create-engine.ts";
import { logFaults } from "./fault-log.ts";
import { type LogOptions, openLog } from "./log.ts";
import { createOutageLog, type OutageLog } from "./outage-log.ts";

/** Outcomes that are logged at level `info`: success and calls that the caller cancelled. */
const ordinary: ReadonlySet<ErrorCode | "ok"> = new Set(["ok", "request_cancelled"] as const);

/** Options of the request log. */
interface RequestLogOptions extends LogOptions {
  /** Rows that are not in the ledger yet; none unless given. */
  readonly backlog?: (() => LedgerBacklog) | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A log whose level can change. */
export interface RequestLog {
  readonly log: Logger;
  readonly outages: OutageLog;
  setLevel(level: string): void;
}

/**
 * Opens the request log. It receives one line for each finished request, the lines of {@link logFaults} and, at level `debug`, each
 * attempt and fallback. Events contain no prompt, answer or credential.
 */
export function openRequestLog(engine: Engine, options: RequestLogOptions): RequestLog {
  const log = openLog(options);
  const { now, backlog = () => ({ waiting: 0, lost: 0 }) } = options;
  const outages = createOutageLog({ log, now, backlog });
  logFaults({ engine, log, outages, now });
  engine.on("settled", ({ request_type, caller, ...event }) => {
    const level = event.reason === "internal" ? "error" : ordinary.has(event.reason) ? "info" : "warn";
    log[level](caller ? { ...event, ...caller } : event, request_type);
  });
  let stopDetails: (() => void) | undefined;
  const setLevel = (level: string) => {
    log.level = level;
    if (!log.isLevelEnabled("debug")) {
      stopDetails?.(); // an event that nobody listens to is not built
      stopDetails = undefined;
    } else stopDetails ??= logDetails(engine, log);
  };
  setLevel(options.level);
  return { log, outages, setLevel };
}

/** Logs each attempt and fallback; the returned function stops that. */
function logDetails(engine: Engine, log: Logger): () => void {
  const stopped = [
    engine.on("attempted", ({ request_type: _type, ...event }) => log.debug(event, "attempted")),
    engine.on("fell_back", ({ request_type: _type, ...event }) => {
      log.debug(event, `fell back from ${event.from} to ${event.to}`);
    }),
  ];
  return () => {
    for (const stop of stopped) stop();
  };
}

/** The text with which a service of a back end refused; callers do not get it. Other causes may quote a caller's body. */
function causeOf({ cause }: GatewayError): { readonly cause?: string } {
  return cause instanceof Error && cause.name === "ReportedFault" ? { cause: cause.message } : {};
}

/** A request that failed. */
interface FailedHttpRequest {
  readonly eventId: string;
  readonly method: string;
  readonly path: string;
  readonly caller?: Readonly<Record<string, string>> | undefined;
}

/** Writes a line for a request that failed before it was the engine's: an unknown path, a body that is no JSON. */
export function noteRefusal(
  log: Logger,
  error: GatewayError,
  { eventId, method, path, caller }: FailedHttpRequest,
): void {
  if (error.eventId !== undefined) return; // the engine has reported it
  const address = addressOfFailure(error);
  const refusal = {
    event_id: eventId,
    status: error.status,
    reason: error.code,
    ...(address && { address }),
    ...causeOf(error),
    ...caller,
  };
  if (error.code === "internal") log.error({ ...refusal, err: error.cause ?? error }, `${method} ${path}`);
  else log.warn(refusal, `${method} ${path}`);
}
