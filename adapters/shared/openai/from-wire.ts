import type { ChatResponse, Choice } from "../../../src/api/chat.ts";
import type { ChatMessage } from "../../../src/api/message.ts";
import { isRecord } from "../http/fault.ts";
import { callId, invalidAnswer, type Reading, readChoiceEnd, readEnvelope, throwFault } from "./answer.ts";
import { readMessageFields } from "./message.ts";
import { readToolCalls } from "./tool-calls.ts";
import { readUsage } from "./usage.ts";

/** A whole answer of `POST /chat/completions` in our form. */
export function readChat(told: unknown, reading: Reading): ChatResponse {
  if (!isRecord(told)) throw invalidAnswer(reading.provider, "is no object");
  throwFault(told, reading);
  if (!Array.isArray(told.choices)) throw invalidAnswer(reading.provider, "has no choices");
  const choices = told.choices.filter(isRecord).map((choice, at) => readChoice(choice, at, reading));
  const usage = readUsage(told.usage);
  const answer = { ...readEnvelope(told, reading), object: "chat.completion", choices };
  return usage === undefined ? answer : { ...answer, usage };
}

function readChoice(told: Record<string, unknown>, at: number, reading: Reading): Choice {
  const { finish_reason, index, ...rest } = readChoiceEnd(told, at, reading);
  const fields = readMessageFields(isRecord(told.message) ? told.message : {});
  const message: Record<string, unknown> = { ...fields, role: "assistant", content: fields.content ?? null };
  const idAt = (n: number) => callId(reading, index, n);
  if (fields.tool_calls !== undefined) message.tool_calls = readToolCalls(fields.tool_calls, idAt);
  return { ...rest, index, finish_reason, message: message as ChatMessage };
}
