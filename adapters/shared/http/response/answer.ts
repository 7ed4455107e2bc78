import { isRecord, parseJson } from "../../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { ProviderCall } from "../../../../src/engine/ports/provider.ts";
import type { WireAnswer, WireHeaders, WireStream } from "../../../../src/engine/ports/transport.ts";
import { isBeyondBounds } from "../../../../src/engine/runtime/json/json-scan.ts";
import type { Redact } from "../../../../src/engine/runtime/redaction.ts";
import { longestRefusal } from "../answer-limits.ts";
import type { CallWithHeaders } from "../caller-headers.ts";
import { type FaultReader, faultError, refusalError, type VendorFault } from "../fault.ts";
import { type SseEvent, sseReader } from "../sse.ts";
import type { ClientTarget } from "../target.ts";
import { formOf, ReceivedEvents, withoutMark } from "./answer-form.ts";

/** What one request needs of a {@link ProviderCall}, and headers that only this request has. */
export interface HttpCall
  extends Pick<
      ProviderCall,
      | "signal"
      | "cancellation"
      | "timeouts"
      | "raw"
      | "startedAt"
      | "begun"
      | "alive"
      | "charged"
      | "pace"
      | "source"
      | "transport"
    >,
    CallWithHeaders {
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A client's settled options. */
export interface Vendor {
  readonly provider: string;
  readonly target: ClientTarget;
  readonly readFault: FaultReader;
  parse(body: string): unknown;
  readonly eventLimit: number;
  readonly streamLimit: number;
  /** Whole answers and streams are read whichever was asked for. */
  readonly readsEither: boolean;
  /** The header that states the cost of an answer, in dollars. */
  readonly costHeader: string | undefined;
  isLastEvent(event: SseEvent): boolean;
}

/** Redirects are refused too: following one would send the credential to the host it names. */
function isRefused(status: number): boolean {
  return status >= 300;
}

/** Hides what let a request in: what is the same for all requests, and what is this one's. */
export function redactorOf({ target }: Vendor, { redact }: Pick<WireAnswer, "redact">): Redact {
  return redact === undefined ? target.redact : (text) => target.redact(redact(text));
}

/** The parsed body of a good answer, without our secrets; anything else is thrown. */
export function readWhole(vendor: Vendor, answer: WireAnswer, call: HttpCall): unknown {
  if (isRefused(answer.status)) throw refused(vendor, answer, call);
  const text = withoutMark(redactorOf(vendor, answer)(answer.body));
  const parsed = vendor.parse(text) ?? eventsIn(text, vendor);
  if (parsed === undefined) throw unreadable(vendor, answer);
  if (call.raw) call.raw.response = parsed instanceof ReceivedEvents ? text : parsed;
  const fault = faultIn(parsed, vendor);
  if (fault) throw hiddenFault(vendor, fault, call);
  return withCost(parsed, answer, { vendor, call });
}

/** The answer with the cost that a header states inside of its usage. */
function withCost(
  parsed: unknown,
  { headers }: WireAnswer,
  { vendor, call }: { readonly vendor: Vendor; readonly call: HttpCall },
): unknown {
  const cost = statedCost(headers, vendor);
  if (cost === undefined || !isRecord(parsed)) return parsed;
  if (!isRecord(parsed.usage)) {
    call.charged?.(cost);
    return parsed;
  }
  return { ...parsed, usage: { cost, ...parsed.usage } };
}

/** The dollars that the head of an answer states as its cost. */
export function statedCost(headers: WireHeaders, { costHeader }: Vendor): number | undefined {
  const stated = costHeader === undefined ? undefined : headers[costHeader];
  return stated !== undefined && /^\d+(\.\d+)?(e-?\d+)?$/i.test(stated) ? Number(stated) : undefined;
}

/** The fault that an answer of status 200 has in place of an answer. A response of OpenAI's that failed is an answer, which says why. */
function faultIn(parsed: unknown, { readFault }: Vendor): VendorFault | undefined {
  const holder: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  const isFault =
    isRecord(holder) &&
    holder.object !== "response" &&
    (isRecord(holder.error) || (typeof holder.error === "string" && holder.error));
  return isFault ? readFault(parsed) : undefined;
}

/** The events of a stream that nobody asked for; some servers stream whatever the request says. */
function eventsIn(text: string, { eventLimit, readsEither }: Vendor): ReceivedEvents | undefined {
  if (!readsEither || formOf(text) !== "events") return undefined;
  const reader = sseReader(eventLimit);
  return new ReceivedEvents([...reader.feed(Buffer.from(text)), ...reader.end()]);
}

/** The error of an answer with a status that is none of success. */
function refused(vendor: Vendor, answer: WireAnswer, call: HttpCall): GatewayError {
  const redact = redactorOf(vendor, answer);
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, redact(value)]));
  const clean = { ...answer, headers, body: redact(answer.body) };
  if (call.raw) call.raw.response = parseJson(clean.body) ?? clean.body;
  if (clean.status < 400) return redirected(vendor, clean);
  const { provider, readFault } = vendor;
  return refusalError({ ...clean, provider, startedAt: call.startedAt }, readFault);
}

/** Whether the head promises the events that were asked for; a missing content type is given the benefit of the doubt. */
export function isEventStream({ status, headers }: { status: number; headers: WireHeaders }): boolean {
  return !isRefused(status) && (headers["content-type"]?.includes("text/event-stream") ?? true);
}

/**
 * An answer that is no event stream although one was asked for, as the one event that it amounts to where the vendor's whole answers can be
 * read so; throws the error that it is otherwise.
 */
export async function wholeAsEvent(vendor: Vendor, answer: WireStream, call: HttpCall): Promise<SseEvent> {
  const limit = isRefused(answer.status) || !vendor.readsEither ? longestRefusal : vendor.eventLimit;
  const whole: WireAnswer = { ...answer, body: await readAll(answer, vendor, limit) };
  if (isRefused(whole.status)) throw refused(vendor, whole, call);
  const data = withoutMark(redactorOf(vendor, whole)(whole.body));
  const parsed = isBeyondBounds(data) ? undefined : parseJson(data);
  if (call.raw) call.raw.response = parsed;
  const fault = faultIn(parsed, vendor);
  if (fault) throw hiddenFault(vendor, fault, call);
  if (vendor.readsEither && isRecord(parsed) && Array.isArray(parsed.choices)) return { data };
  throw unreadable(vendor, whole);
}

/** The error of a fault inside an answer of status 200; the status is the fault's code where that is one, else 502. */
export function hiddenFault({ provider }: Vendor, fault: VendorFault, call: HttpCall): GatewayError {
  const code = Number(fault.code);
  const status = Number.isInteger(code) && code >= 400 && code <= 599 ? code : 502;
  return faultError(fault, { provider, status, headers: {}, startedAt: call.startedAt });
}

async function readAll(stream: WireStream, { provider }: Vendor, limit: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream.body) {
    pieces.push(piece);
    size += piece.length;
    if (size > limit) return `${provider} sent more than ${limit} bytes`;
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** The error of a redirect, which is not followed: its target would get the credential. */
function redirected(vendor: Vendor, answer: WireAnswer): GatewayError {
  const { location } = answer.headers;
  if (location === undefined) return unreadable(vendor, answer);
  const { provider } = vendor;
  const target = (location.split(/[?#]/)[0] ?? "").slice(0, 200);
  const message = `${provider} redirects to ${target} (status ${answer.status}): set \`baseUrl\` of ${provider} to that address.`;
  return new GatewayError("upstream_invalid_response", message, { provider });
}

function unreadable(vendor: Vendor, answer: WireAnswer): GatewayError {
  const type = answer.headers["content-type"]?.split(";")[0] ?? "no content type";
  const { provider } = vendor;
  const reported = redactorOf(vendor, answer)(type).slice(0, 80);
  const message = `The answer of ${provider} cannot be read: status ${answer.status}, ${reported}.`;
  return new GatewayError("upstream_invalid_response", message, { provider });
}
