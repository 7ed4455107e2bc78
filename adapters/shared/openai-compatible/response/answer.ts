import type { LogProbs } from "../../../../src/engine/api/chat.ts";
import { readFinishReason } from "../../../../src/engine/dialects/openai/finish-reasons.ts";
import { indexOr, isRecord, optionalText } from "../../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { ProviderCall } from "../../../../src/engine/ports/provider.ts";
import type { HttpClient } from "../../http/client.ts";
import { readFault, type VendorFault } from "../../http/fault.ts";
import { extraFields } from "./extra-fields.ts";
import { readLogProbs } from "./logprobs.ts";

/** What reading an answer needs to know of its call. */
export interface ReadContext {
  readonly provider: string;
  readonly http: Pick<HttpClient, "faultError">;
  readonly call: ProviderCall;
}

/** The fields that whole answers and chunks share. */
export interface Envelope {
  id: string;
  created: number;
  model: string;
  [field: string]: unknown;
}

/** All of an answer but choices, usage and kind; the vendor's own fields stay, nulls are left out. */
export function readEnvelope(raw: Record<string, unknown>, { call }: ReadContext): Envelope {
  const envelope: Envelope = {
    id: optionalText(raw.id) ?? call.id,
    created: readCreated(raw.created, call),
    model: optionalText(raw.model) ?? call.model,
  };
  for (const field in raw) {
    const value = raw[field];
    if (value === null || value === undefined || field in envelope) continue;
    if (field === "choices" || field === "usage" || field === "object") continue;
    const read = extraFields.get(field);
    const checked = read === undefined ? value : read(value);
    if (checked !== undefined) envelope[field] = checked;
  }
  return envelope;
}

/** Seconds since the epoch; what is no such number gives way to the begin of the call. */
function readCreated(raw: unknown, { startedAt }: ProviderCall): number {
  return typeof raw === "number" && raw > 0 && raw <= Number.MAX_SAFE_INTEGER
    ? Math.floor(raw)
    : Math.floor(startedAt / 1000);
}

/** The fields of a choice apart from its message. */
export interface ChoiceEnd {
  index: number;
  finish_reason: string | null;
  log_probs?: LogProbs;
  [field: string]: unknown;
}

/** Reasons that are no end: the vendor broke off in the middle, DeepSeek for want of resources, vLLM and SGLang by an abort. */
const failures: ReadonlySet<unknown> = new Set(["error", "insufficient_system_resource", "abort"]);

/** Fields that are texts, or are left out. */
const texts: ReadonlySet<string> = new Set(["text", "native_finish_reason", "stop_sequence"]);

/** All of a choice but its message or delta; throws when the vendor ended it by an error. */
export function readChoiceEnd(raw: Record<string, unknown>, at: number, reading: ReadContext): ChoiceEnd {
  const { index, finish_reason: reason, logprobs } = raw;
  if (failures.has(reason) || isRecord(raw.error)) throw stoppedByError(raw, reading);
  const end: ChoiceEnd = {
    index: indexOr(at, index),
    finish_reason: readFinishReason(reason),
  };
  if (isRecord(logprobs)) end.log_probs = readLogProbs(logprobs);
  const sequence = sequenceOf(raw);
  if (sequence !== undefined) end.stop_sequence = sequence;
  for (const field in raw) {
    if (field === "message" || field === "delta" || field === "logprobs" || field in end) continue;
    const value = texts.has(field) ? optionalText(raw[field]) : raw[field];
    if (value !== null && value !== undefined) end[field] = value;
  }
  return end;
}

/** The stop sequence that ended an answer: vLLM and SGLang say which, or the number of a token; TGI that there was one. */
function sequenceOf(raw: Record<string, unknown>): string | null | undefined {
  if (raw.finish_reason === "stop_sequence") return null;
  return raw.finish_reason === "stop" ? (optionalText(raw.stop_reason) ?? optionalText(raw.matched_stop)) : undefined;
}

function stoppedByError(raw: Record<string, unknown>, { http, call }: ReadContext): GatewayError {
  const fault: VendorFault = readFault(raw) ?? { message: "The provider stopped the answer with an error." };
  return http.faultError(fault, call);
}

/** Throws the vendor's error when an answer of status 200, or an event of a stream, is one. */
export function throwFault(raw: Record<string, unknown>, { http, call }: ReadContext): void {
  const groq = isRecord(raw.x_groq) ? raw.x_groq : undefined;
  if (!raw.error && raw.object !== "error" && !groq?.error) return;
  const fault = readFault(raw.error || raw.object === "error" ? raw : groq);
  throw http.faultError(fault ?? { message: "The provider answered with an error." }, call);
}

/** The error of an answer that lacks what every answer has. */
export function invalidAnswer(provider: string, lack: string): GatewayError {
  return new GatewayError("upstream_invalid_response", `The answer of ${provider} ${lack}.`, { provider });
}

/** The identifier of a tool call that the vendor gave none; the same for whole and streamed answers. */
export function callId({ call }: ReadContext, choice: number, index: number): string {
  return `call_${call.id}_${choice}_${index}`;
}
