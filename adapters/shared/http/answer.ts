import { GatewayError } from "../../../src/errors.ts";
import type { ProviderCall } from "../../../src/ports.ts";
import { hostOf } from "./failure.ts";
import { type Fault, type FaultReader, faultError, isRecord, parseJson, refusalError } from "./fault.ts";
import type { SseEvent } from "./sse.ts";
import type { Target } from "./target.ts";
import type { WireAnswer, WireHeaders, WireStream } from "./transport.ts";

/** What one request needs of a {@link ProviderCall}, and headers that only this request has. */
export interface HttpCall
  extends Pick<ProviderCall, "signal" | "cancellation" | "timeouts" | "raw" | "startedAt" | "begun"> {
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A client's settled options. */
export interface Vendor {
  readonly provider: string;
  readonly target: Target;
  readonly readFault: FaultReader;
  parse(body: string): unknown;
  readonly eventLimit: number;
  isLastEvent(event: SseEvent): boolean;
}

/** One request's answer and the call that it belongs to. */
interface Answered<Answer> {
  readonly url: string;
  readonly answer: Answer;
  readonly call: HttpCall;
}

/** Redirects are no answer either: following one would hand the credential to whoever it names. */
function isRefused(status: number): boolean {
  return status >= 300;
}

/** The parsed body of a good answer; anything else is thrown. */
export function readWhole(vendor: Vendor, { url, answer, call }: Answered<WireAnswer>): unknown {
  if (isRefused(answer.status)) throw refused(vendor, { url, answer, call });
  const parsed = vendor.parse(answer.body);
  if (parsed === undefined) throw unreadable(vendor, url, answer);
  if (call.raw) call.raw.response = vendor.target.redactJson(parsed);
  return parsed;
}

/** The error of an answer with a status that is none of success. */
function refused(vendor: Vendor, { url, answer, call }: Answered<WireAnswer>): GatewayError {
  const body = vendor.target.redact(answer.body);
  if (call.raw) call.raw.response = parseJson(body) ?? body;
  if (answer.status < 400) return unreadable(vendor, url, answer);
  const { provider, readFault } = vendor;
  return refusalError({ ...answer, body, provider, url, startedAt: call.startedAt }, readFault);
}

/** Whether the events that were asked for are coming; a missing content type is given the benefit of the doubt. */
export function isEventStream({ status, headers }: { status: number; headers: WireHeaders }): boolean {
  return !isRefused(status) && (headers["content-type"]?.includes("text/event-stream") ?? true);
}

/** The error of an answer that is no event stream although one was asked for. */
export async function notEvents(vendor: Vendor, { url, answer, call }: Answered<WireStream>): Promise<GatewayError> {
  const whole: WireAnswer = { ...answer, body: await readAll(answer, url) };
  if (isRefused(whole.status)) return refused(vendor, { url, answer: whole, call });
  const parsed = parseJson(vendor.target.redact(whole.body));
  if (call.raw) call.raw.response = parsed;
  const fault = isRecord(parsed) && "error" in parsed ? vendor.readFault(parsed) : undefined;
  return fault === undefined ? unreadable(vendor, url, whole) : hiddenFault(vendor, fault, call);
}

/** The error of a fault inside an answer of status 200; the status is the fault's code where that is one, else 502. */
export function hiddenFault(vendor: Vendor, fault: Fault, call: HttpCall): GatewayError {
  const message = fault.message === undefined ? undefined : vendor.target.redact(fault.message);
  const code = Number(fault.code);
  const status = Number.isInteger(code) && code >= 400 && code <= 599 ? code : 502;
  const { provider, target } = vendor;
  return faultError(
    { ...fault, message },
    { provider, url: target.base, status, headers: {}, startedAt: call.startedAt },
  );
}

/** Bytes of an error body in place of a stream that are worth reading. */
const longestRefusal = 1024 * 1024;

async function readAll(stream: WireStream, url: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream.body) {
    pieces.push(piece);
    size += piece.length;
    if (size > longestRefusal) return `${hostOf(url)} sent more than ${longestRefusal} bytes`;
  }
  return Buffer.concat(pieces).toString("utf8");
}

function unreadable({ provider }: Vendor, url: string, answer: WireAnswer): GatewayError {
  const type = answer.headers["content-type"]?.split(";")[0] ?? "no content type";
  const message = `The answer of ${hostOf(url)} cannot be read: status ${answer.status}, ${type}.`;
  return new GatewayError("upstream_invalid_response", message, { provider });
}
