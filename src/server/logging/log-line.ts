import type { Usage } from "../../engine/api/usage.ts";
import { writeMoney, writeTime } from "../terminal/format.ts";
import { plainLine, plainText } from "../terminal/plain-text.ts";

/** What is read of a record of the log to show it to people; the rest is for machines. */
export interface LogRecord {
  readonly time: string;
  readonly level: string;
  readonly msg: string;
  readonly event_id?: string;
  readonly status?: number;
  readonly reason?: string;
  readonly model_requested?: string;
  readonly target?: string;
  readonly latency?: number;
  readonly time_to_first_token?: number;
  readonly usage?: Usage;
  readonly warnings?: readonly string[];
  readonly address?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
}

/** Formats a log record as one line: time, level, message, subject and duration. A stack follows on separate lines. */
export function formatRecord(record: LogRecord): string {
  const { time, level, msg, event_id, warnings, err } = record;
  const stack = err?.stack ?? err?.message;
  const parts = [
    new Date(time).toTimeString().slice(0, 8),
    level.padEnd(5),
    ...(record.status === undefined ? [msg] : describeRequest(record)),
    ...(warnings?.length ? [`(${warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`})`] : []),
    ...(record.address === undefined ? [] : [`at ${record.address}`]),
    ...(event_id === undefined ? [] : [event_id]),
  ];
  return `${plainLine(parts.join(" "))}\n${stack === undefined ? "" : `${plainText(stack).replace(/^/gm, "    ")}\n`}`;
}

function describeRequest({ msg, status, reason, model_requested = "", target, usage, ...record }: LogRecord): string[] {
  const isOther = target !== undefined && target !== model_requested;
  return [
    String(status),
    msg,
    ...(model_requested === "" ? [] : [isOther ? `${model_requested} → ${target}` : model_requested]),
    ...(reason === undefined || reason === "ok" ? [] : [reason]),
    ...(record.latency === undefined ? [] : [writeTime(record.latency)]),
    ...(record.time_to_first_token === undefined ? [] : [`(first after ${writeTime(record.time_to_first_token)})`]),
    ...(usage === undefined ? [] : [`${usage.prompt_tokens}+${usage.completion_tokens} tokens`]),
    ...(usage?.cost === undefined ? [] : [writeMoney(usage.cost.total_cost)]),
  ];
}
