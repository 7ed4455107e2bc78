import { isRecord, parseJson } from "../../../../src/dialects/wire-values.ts";
import { GatewayError } from "../../../../src/errors.ts";
import type { ProviderCall } from "../../../../src/ports/provider.ts";
import type { Redact } from "../../../../src/runtime/redaction.ts";
import { longestRefusal } from "../answer-limits.ts";
import { type FaultReader, faultError, refusalError, type VendorFault } from "../fault.ts";
import type { SseEvent } from "../sse.ts";
import type { ClientTarget } from "../target.ts";
import type { WireAnswer, WireHeaders, WireStream } from "../transport.ts";

/** What one request needs of a {@link ProviderCall}, and headers that only this request has. */
export interface HttpCall
  extends Pick<ProviderCall, "signal" | "cancellation" | "timeouts" | "raw" | "startedAt" | "begun" | "alive"> {
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
  const parsed = vendor.parse(redactorOf(vendor, answer)(answer.body));
  if (parsed === undefined) throw unreadable(vendor, answer);
  if (call.raw) call.raw.response = parsed;
  return parsed;
}

/** The error of an answer with a status that is none of success. */
function refused(vendor: Vendor, answer: WireAnswer, call: HttpCall): GatewayError {
  const redact = redactorOf(vendor, answer);
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, redact(value)]));
  const clean = { ...answer, headers, body: redact(answer.body) };
  if (call.raw) call.raw.response = parseJson(clean.body) ?? clean.body;
  if (clean.status < 400) return unreadable(vendor, clean);
  const { provider, readFault } = vendor;
  return refusalError({ ...clean, provider, startedAt: call.startedAt }, readFault);
}

/** Whether the events that were asked for are coming; a missing content type is given the benefit of the doubt. */
export function isEventStream({ status, headers }: { status: number; headers: WireHeaders }): boolean {
  return !isRefused(status) && (headers["content-type"]?.includes("text/event-stream") ?? true);
}

/** The error of an answer that is no event stream although one was asked for. */
export async function notEvents(vendor: Vendor, answer: WireStream, call: HttpCall): Promise<GatewayError> {
  const whole: WireAnswer = { ...answer, body: await readAll(answer, vendor) };
  if (isRefused(whole.status)) return refused(vendor, whole, call);
  const parsed = parseJson(redactorOf(vendor, whole)(whole.body));
  if (call.raw) call.raw.response = parsed;
  const fault = isRecord(parsed) && "error" in parsed ? vendor.readFault(parsed) : undefined;
  return fault === undefined ? unreadable(vendor, whole) : hiddenFault(vendor, fault, call);
}

/** The error of a fault inside an answer of status 200; the status is the fault's code where that is one, else 502. */
export function hiddenFault({ provider }: Vendor, fault: VendorFault, call: HttpCall): GatewayError {
  const code = Number(fault.code);
  const status = Number.isInteger(code) && code >= 400 && code <= 599 ? code : 502;
  return faultError(fault, { provider, status, headers: {}, startedAt: call.startedAt });
}

async function readAll(stream: WireStream, { provider }: Vendor): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream.body) {
    pieces.push(piece);
    size += piece.length;
    if (size > longestRefusal) return `${provider} sent more than ${longestRefusal} bytes`;
  }
  return Buffer.concat(pieces).toString("utf8");
}

function unreadable(vendor: Vendor, answer: WireAnswer): GatewayError {
  const type = answer.headers["content-type"]?.split(";")[0] ?? "no content type";
  const { provider } = vendor;
  const reported = redactorOf(vendor, answer)(type).slice(0, 80);
  const message = `The answer of ${provider} cannot be read: status ${answer.status}, ${reported}.`;
  return new GatewayError("upstream_invalid_response", message, { provider });
}
