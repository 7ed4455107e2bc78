import type { ChatResponse, Choice } from "../../api/chat.ts";
import type { ChatMessage, ReasoningDetail, ToolCall } from "../../api/message.ts";
import type { TextPlace } from "../../ports/middleware/middleware.ts";
import { type PassText, passDeep, passJson } from "./texts.ts";

/** What an answer loses where its texts are guarded. */
export type NoteLoss = (what: string) => void;

/** Members that hold no text of a model. */
const plainMembers = [
  "id",
  "object",
  "created",
  "model",
  "service_tier",
  "system_fingerprint",
  "usage",
  "extra_fields",
];

/** Picks members that are there, and leaves the others. */
export function split<Fields extends object>(fields: Fields, names: readonly string[]) {
  const all = Object.entries(fields);
  const picked = Object.fromEntries(all.filter(([name]) => names.includes(name)));
  const rest = Object.fromEntries(all.filter(([name]) => !names.includes(name)));
  return { picked, rest } as { picked: Record<string, unknown>; rest: Record<string, unknown> };
}

/** Passes the members of an answer or a chunk next to its choices: sources and what else vendors add. */
export async function passExtras(fields: object, pass: PassText): Promise<Record<string, unknown>> {
  const { picked, rest } = split(fields, plainMembers);
  return { ...picked, ...(await passDeep(rest, pass, { kind: "other", choice: 0 })) };
}

/** A whole chat answer with all its texts passed. */
export async function passChat(answer: ChatResponse, pass: PassText, lost: NoteLoss): Promise<ChatResponse> {
  const { choices, ...rest } = answer;
  const passed: Choice[] = [];
  for (const choice of choices) passed.push(await passChoice(choice, pass, lost));
  return { ...(await passExtras(rest, pass)), choices: passed } as ChatResponse; // the same members
}

const plainOfChoice = ["index", "finish_reason", "stop_sequence", "native_finish_reason"];

async function passChoice({ message, log_probs, ...fields }: Choice, pass: PassText, lost: NoteLoss): Promise<Choice> {
  if (log_probs) lost("log_probs");
  const place: TextPlace = { kind: "other", choice: fields.index };
  const { picked, rest } = split(fields, plainOfChoice);
  const others = await passDeep(rest, pass, place);
  return { ...picked, ...others, message: await passMessage(message, pass, { lost, choice: fields.index }) } as Choice;
}

interface MessageSide {
  readonly lost: NoteLoss;
  readonly choice: number;
}

async function passMessage(message: ChatMessage, pass: PassText, { lost, choice }: MessageSide): Promise<ChatMessage> {
  const { role, content, reasoning, reasoning_details: details, refusal, tool_calls: calls, audio, ...rest } = message;
  if (audio) lost("audio");
  const at = (kind: TextPlace["kind"]): TextPlace => ({ kind, choice });
  const { text_blocks: blocks, ...others } = rest;
  const passedContent = await passDeep(content, pass, at("content"));
  const passed: Record<string, unknown> = { role, content: passedContent };
  if (reasoning !== undefined) passed.reasoning = await passDeep(reasoning, pass, at("reasoning"));
  if (details) passed.reasoning_details = await passDetails(details, pass, at("reasoning"));
  if (refusal !== undefined) passed.refusal = await passDeep(refusal, pass, at("refusal"));
  if (calls) passed.tool_calls = await passCalls(calls, pass, choice);
  if (blocks && passedContent === content) passed.text_blocks = blocks; // places in a text that has changed mean nothing
  return { ...passed, ...(await passDeep(others, pass, at("other"))) } as ChatMessage; // the same members
}

/** Thoughts whose text has changed lose their signature: it vouches for other words. */
async function passDetails(details: readonly ReasoningDetail[], pass: PassText, place: TextPlace) {
  const passed: ReasoningDetail[] = [];
  for (const { data, signature, ...detail } of details) {
    const own = await passDeep(detail, pass, place);
    const isSame = own.text === detail.text && own.summary === detail.summary;
    passed.push({
      ...own,
      ...(data === undefined ? {} : { data }),
      ...(signature === undefined || !isSame ? {} : { signature }),
    });
  }
  return passed;
}

/** Tool calls with their names and arguments passed; arguments are JSON, whose texts are passed one by one. */
export async function passCalls(calls: readonly ToolCall[], pass: PassText, choice: number): Promise<ToolCall[]> {
  const place: TextPlace = { kind: "tool_call", choice };
  const passed: ToolCall[] = [];
  for (const { function: called, ...call } of calls) {
    const own: ToolCall = await passDeep(call, pass, place);
    if (called) {
      const { arguments: json, ...rest } = called;
      own.function = await passDeep(rest, pass, place);
      if (json !== undefined) own.function.arguments = await passJson(json, pass, place);
    }
    passed.push(own);
  }
  return passed;
}
