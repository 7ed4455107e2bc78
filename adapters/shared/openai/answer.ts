import type { LogProbs } from "../../../src/api/chat.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { ProviderCall } from "../../../src/ports.ts";
import { asideOf, indexOr } from "../chat/odd.ts";
import type { HttpClient } from "../http/client.ts";
import { type Fault, isRecord, readFault } from "../http/fault.ts";
import { besideChoices } from "./asides.ts";
import { readLogProbs } from "./logprobs.ts";

/** What reading an answer needs to know of its call. */
export interface Reading {
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
export function readEnvelope(told: Record<string, unknown>, { call }: Reading): Envelope {
  const envelope: Envelope = {
    id: asideOf(told.id) ?? call.id,
    created: readCreated(told.created, call),
    model: asideOf(told.model) ?? call.model,
  };
  for (const field in told) {
    const value = told[field];
    if (value === null || value === undefined || field in envelope) continue;
    if (field === "choices" || field === "usage" || field === "object") continue;
    const read = besideChoices.get(field);
    const aside = read === undefined ? value : read(value);
    if (aside !== undefined) envelope[field] = aside;
  }
  return envelope;
}

/** Seconds since the epoch; what is no such number gives way to the begin of the call. */
function readCreated(told: unknown, { startedAt }: ProviderCall): number {
  return typeof told === "number" && told > 0 && told <= Number.MAX_SAFE_INTEGER
    ? Math.floor(told)
    : Math.floor(startedAt / 1000);
}

/** What a choice tells beside its message. */
export interface ChoiceEnd {
  index: number;
  finish_reason: string | null;
  log_probs?: LogProbs;
  [field: string]: unknown;
}

/** Reasons that vendors spell in their own way. */
const finishReasons: Readonly<Record<string, string>> = { model_length: "length", eos: "stop" };

/** Reasons that are no end: the vendor broke off in the middle, DeepSeek for want of resources, vLLM and SGLang by an abort. */
const failures: ReadonlySet<unknown> = new Set(["error", "insufficient_system_resource", "abort"]);

/** All of a choice but its message or delta; throws when the vendor ended it by an error. */
export function readChoiceEnd(told: Record<string, unknown>, at: number, reading: Reading): ChoiceEnd {
  const { index, finish_reason: reason, logprobs } = told;
  if (failures.has(reason) || isRecord(told.error)) throw stoppedByError(told, reading);
  const end: ChoiceEnd = {
    index: indexOr(at, index),
    finish_reason: typeof reason === "string" && reason !== "" ? (finishReasons[reason] ?? reason) : null,
  };
  if (isRecord(logprobs)) end.log_probs = readLogProbs(logprobs);
  for (const field in told) {
    if (field === "message" || field === "delta" || field === "logprobs" || field in end) continue;
    const value = field === "text" ? asideOf(told.text) : told[field];
    if (value !== null && value !== undefined) end[field] = value;
  }
  return end;
}

function stoppedByError(told: Record<string, unknown>, { http, call }: Reading): GatewayError {
  const fault: Fault = readFault(told) ?? { message: "The provider stopped the answer with an error." };
  return http.faultError(fault, call);
}

/** Throws the vendor's error when an answer of status 200, or an event of a stream, is one. */
export function throwFault(told: Record<string, unknown>, { http, call }: Reading): void {
  const groq = isRecord(told.x_groq) ? told.x_groq : undefined;
  if (!told.error && told.object !== "error" && !groq?.error) return;
  const fault = readFault(told.error || told.object === "error" ? told : groq);
  throw http.faultError(fault ?? { message: "The provider answered with an error." }, call);
}

/** The error of an answer that lacks what every answer has. */
export function invalidAnswer(provider: string, lack: string): GatewayError {
  return new GatewayError("upstream_invalid_response", `The answer of ${provider} ${lack}.`, { provider });
}

/** The identifier of a tool call that the vendor gave none; the same for whole and streamed answers. */
export function callId({ call }: Reading, choice: number, index: number): string {
  return `call_${call.id}_${choice}_${index}`;
}
