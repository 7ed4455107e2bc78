import type { ChatResponse, Choice } from "../../../src/api/chat.ts";
import { reading } from "../chat/odd.ts";
import { isRecord } from "../http/fault.ts";
import {
  type ChoiceEnd,
  callId,
  type Envelope,
  invalidAnswer,
  type Reading,
  readChoiceEnd,
  readEnvelope,
  throwFault,
} from "./answer.ts";
import { readMessageFields } from "./message.ts";
import { readToolCalls } from "./tool-calls.ts";
import { readUsage } from "./usage.ts";

/** A whole answer of `POST /chat/completions` in our form. */
export const readChat = reading(readWhole);

function readWhole(told: unknown, reading: Reading): ChatResponse {
  if (!isRecord(told)) throw invalidAnswer(reading.provider, "is no object");
  throwFault(told, reading);
  const listed = Array.isArray(told.choices) ? told.choices.filter(isRecord) : [];
  if (listed.length === 0) throw invalidAnswer(reading.provider, "has no choices");
  const choices = listed.map((choice, at) => readChoice(choice, at, reading));
  const usage = readUsage(told.usage);
  const answer = readEnvelope(told, reading);
  answer.object = "chat.completion";
  answer.choices = choices;
  if (usage !== undefined) answer.usage = usage;
  return answer as Envelope & Pick<ChatResponse, "object" | "choices">;
}

function readChoice(told: Record<string, unknown>, at: number, reading: Reading): Choice {
  const choice = readChoiceEnd(told, at, reading);
  const message = readMessageFields(told.message);
  const { tool_calls, content = null } = message as { tool_calls?: unknown[]; content?: unknown };
  const idAt = (n: number) => callId(reading, choice.index, n);
  if (tool_calls !== undefined) message.tool_calls = readToolCalls(tool_calls, idAt);
  choice.message = Object.assign(message, { role: "assistant", content });
  return choice as ChoiceEnd & Pick<Choice, "message">;
}
