import { isRecord, parseJson } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError, type UpstreamFault } from "../../../src/engine/errors.ts";
import type { WireHeaders } from "../../../src/engine/ports/transport.ts";
import { violatedField } from "./fault-details.ts";

export { isRecord, parseJson } from "../../../src/engine/dialects/wire-values.ts";

/** What a vendor's error body says, as far as it says it. */
export interface VendorFault {
  readonly message?: string | undefined;
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly param?: string | undefined;
  /** Where the body, not a header, says when to ask again. */
  readonly retryAfterMs?: number | undefined;
}

/** Reads a vendor's error out of a parsed body, and of the headers of an answer of its own; `undefined` when there is none. */
export type FaultReader = (body: unknown, headers?: WireHeaders) => VendorFault | undefined;

/** A refused request: its answer, and who was asked. */
export interface HttpRefusal {
  readonly provider: string;
  readonly status: number;
  readonly headers: WireHeaders;
  /** The body as text. */
  readonly body: string;
  /** Milliseconds since the epoch when the call began: "now" for a server that sends a date to wait for but no `Date`. */
  readonly startedAt: number;
}

/** Longest foreign text that becomes a message. */
const longestMessage = 4_000;

/**
 * The error shapes of OpenAI and of those who speak its dialect: `{ error: { message, type, code, param } }`,
 * `{ error: "text", code }` (of Hugging Face with `error_type`), `{ message, type, code, param }` and FastAPI's `{ detail }`; also as the first
 * element of a list, as Google sends them. Numbers become text, null is absent.
 */
export function readFault(body: unknown): VendorFault | undefined {
  const holder: unknown = Array.isArray(body) ? body[0] : body;
  if (!isRecord(holder)) return undefined;
  const { error, detail } = holder;
  if (isRecord(error)) return faultOf(error);
  if (typeof error === "string") return { ...faultOf(holder), message: error };
  if (detail !== undefined && detail !== null) return { ...faultOf(holder), ...readDetail(detail) };
  if (typeof holder.message === "string" || holder.object === "error") return faultOf(holder);
  return undefined;
}

function faultOf(fields: Record<string, unknown>): VendorFault {
  const { message, type = fields.error_type ?? fields.status, code, param, details, metadata } = fields;
  const reported = typeof message === "string" ? message : message === undefined ? undefined : JSON.stringify(message);
  const fault = { message: reported, type: text(type), code: text(code), param: text(param) ?? violatedField(details) };
  const inner = isRecord(metadata) ? innerMessage(metadata.raw) : undefined;
  return inner === undefined ? fault : { ...fault, message: reported ? `${reported}: ${inner}` : inner };
}

/** What the vendor behind a router said, which the router hands on as text. */
function innerMessage(raw: unknown): string | undefined {
  if (typeof raw !== "string" || raw === "") return undefined;
  const parsed = parseJson(raw);
  return parsed === undefined ? raw : readFault(parsed)?.message;
}

function readDetail(detail: unknown): VendorFault {
  if (typeof detail === "string") return { message: detail };
  const first: unknown = Array.isArray(detail) ? detail[0] : detail;
  if (!isRecord(first)) return { message: JSON.stringify(detail) };
  if (isRecord(first.error)) return faultOf(first.error);
  const message = text(first.msg) ?? text(first.message) ?? text(first.error) ?? JSON.stringify(first);
  return { message, type: text(first.type), param: Array.isArray(first.loc) ? first.loc.join(".") : undefined };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The `upstream_error` of an answer with an error status, with the vendor's own words. */
export function refusalError(refusal: HttpRefusal, read: FaultReader): GatewayError {
  const parsed = parseJson(refusal.body);
  const fault = read(parsed, refusal.headers) ?? { message: plainMessage(refusal) };
  return faultError(fault, refusal);
}

/** The `upstream_error` of a fault, wherever in an answer it was found. */
export function faultError(fault: VendorFault, refusal: Omit<HttpRefusal, "body">): GatewayError {
  const { type, code, param } = fault;
  const message = (fault.message || `${refusal.provider} answered ${refusal.status}.`).slice(0, longestMessage);
  const upstream: UpstreamFault = { status: refusal.status, type, code, param, message };
  const retryAfterMs = readRetryAfter(refusal.headers, refusal.startedAt) ?? fault.retryAfterMs;
  return new GatewayError("upstream_error", message, { provider: refusal.provider, upstream, retryAfterMs });
}

/** A short message in place of an error page. */
function plainMessage({ provider, status, headers, body }: HttpRefusal): string {
  const type = headers["content-type"]?.split(";")[0] ?? "";
  const reported = body.trim();
  if (type === "text/plain" && reported !== "" && reported.length <= 200) return reported;
  return `${provider} answered ${status}${type === "" ? "" : ` with ${type}`}.`;
}

/** The dates of HTTP and ISO 8601. `Date.parse` takes more for a date: `-1` and `1, 1` are days of 2001, to be waited for no longer. */
const dateLike = /^\s*([a-z]{3,9},?\s|\d{4}-\d\d-\d\d)/i;

/** Milliseconds that `retry-after-ms` or `Retry-After` (seconds or a date, counted from the answer's own `Date`) ask for. */
function readRetryAfter(headers: WireHeaders, now: number): number | undefined {
  const inMs = positive(headers["retry-after-ms"]);
  if (inMs !== undefined) return inMs;
  const after = headers["retry-after"];
  const seconds = positive(after);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = after !== undefined && dateLike.test(after) ? Date.parse(after) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  const sent = Date.parse(headers.date ?? "");
  return Math.max(0, date - (Number.isNaN(sent) ? now : sent));
}

function positive(value: string | undefined): number | undefined {
  if (value === undefined || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}
