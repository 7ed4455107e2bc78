import type { ChatResponse, Choice } from "../../../../src/engine/api/chat.ts";
import { readUsage } from "../../../../src/engine/dialects/openai/usage.ts";
import { isRecord } from "../../../../src/engine/dialects/wire-values.ts";
import { reading } from "../../chat/lenient.ts";
import {
  type ChoiceEnd,
  callId,
  type Envelope,
  invalidAnswer,
  type ReadContext,
  readChoiceEnd,
  readEnvelope,
  throwFault,
} from "./answer.ts";
import { addSeals, readMessageFields } from "./message.ts";
import { readToolCalls } from "./tool-calls.ts";

/** A whole answer of `POST /chat/completions` in our form. */
export const readChat = reading(readWhole);

function readWhole(raw: unknown, reading: ReadContext): ChatResponse {
  const [first] = Array.isArray(raw) ? raw : [];
  if (isRecord(first)) throwFault(first, reading);
  if (!isRecord(raw)) throw invalidAnswer(reading.provider, "is no object");
  throwFault(raw, reading);
  const listed = Array.isArray(raw.choices) ? raw.choices.filter(isRecord) : [];
  if (listed.length === 0) throw invalidAnswer(reading.provider, "has no choices");
  const choices = listed.map((choice, at) => readChoice(choice, at, reading));
  const usage = readUsage(raw.usage);
  const answer = readEnvelope(raw, reading);
  answer.object = "chat.completion";
  answer.choices = choices;
  if (usage !== undefined) answer.usage = usage;
  return answer as Envelope & Pick<ChatResponse, "object" | "choices">;
}

function readChoice(raw: Record<string, unknown>, at: number, reading: ReadContext): Choice {
  const choice = readChoiceEnd(raw, at, reading);
  const message = readMessageFields(raw.message);
  const { tool_calls, content = null } = message as { tool_calls?: unknown[]; content?: unknown };
  const idAt = (n: number) => callId(reading, choice.index, n);
  if (tool_calls !== undefined) message.tool_calls = readToolCalls(tool_calls, idAt);
  addSeals(message);
  choice.message = Object.assign(message, { role: "assistant", content });
  return choice as ChoiceEnd & Pick<Choice, "message">;
}
