import type { ChatChunk, ChatResponse, Choice, ChunkChoice } from "../../../../src/engine/api/chat.ts";
import type { ToolCall, ToolCallDelta } from "../../../../src/engine/api/message.ts";
import { isRecord, textOf } from "../../../../src/engine/dialects/wire-values.ts";
import type { SseEvent } from "../../http/sse.ts";
import type { ReadContext } from "./answer.ts";
import { chunkReader } from "./chunks.ts";
import { readChat } from "./from-wire.ts";

/** A message whose parts are coming. */
interface GrowingMessage {
  readonly texts: Map<string, string[]>;
  readonly lists: Map<string, unknown[]>;
  readonly calls: Map<number, GrowingCall>;
}

interface GrowingCall {
  call: ToolCall;
  readonly arguments: string[];
}

/** The whole answer that the events of a stream amount to; throws what the stream would. */
export function gatherChat(events: readonly SseEvent[], reading: ReadContext): ChatResponse {
  const reader = chunkReader(reading);
  const { items, broken } = reader.read(events);
  if (broken) throw broken.thrown;
  const last = reader.end();
  const chunks = last ? [...items, last] : items;
  const choices = new Map<number, { choice: ChunkChoice; readonly message: GrowingMessage }>();
  for (const choice of chunks.flatMap((chunk) => chunk.choices)) {
    const known = choices.get(choice.index);
    const message = known?.message ?? { texts: new Map(), lists: new Map(), calls: new Map() };
    choices.set(choice.index, { choice: { ...known?.choice, ...choice }, message });
    grow(message, choice.delta);
  }
  const whole = [...choices.values()].map(({ choice, message }) => wholeChoice(choice, message));
  return readChat({ ...headOf(chunks), choices: whole }, reading);
}

function headOf(chunks: readonly ChatChunk[]): object {
  const { choices: _choices, ...head } = Object.assign({}, ...chunks) as ChatChunk;
  return head;
}

function grow({ texts, lists, calls }: GrowingMessage, delta: ChunkChoice["delta"]): void {
  for (const [field, value] of Object.entries(delta)) {
    if (field === "role") continue;
    if (field === "tool_calls") for (const call of delta.tool_calls ?? []) growCall(calls, call);
    else if (typeof value === "string") push(texts, field, [value]);
    else push(lists, field, Array.isArray(value) ? value : [value]);
  }
}

function push<Item>(map: Map<string, Item[]>, field: string, values: readonly Item[]): void {
  const known = map.get(field);
  if (known) known.push(...values);
  else map.set(field, [...values]);
}

function growCall(calls: Map<number, GrowingCall>, { index = 0, ...delta }: ToolCallDelta): void {
  const known = calls.get(index) ?? { call: {} as ToolCall, arguments: [] };
  const { function: called, ...rest } = delta;
  const custom = isRecord(delta.custom) ? delta.custom : undefined;
  const before = isRecord(known.call.custom) ? known.call.custom : {};
  const own = custom ? { custom: { ...before, ...custom } } : { function: { ...known.call.function, ...called } };
  known.call = { ...known.call, ...rest, ...own } as ToolCall;
  known.arguments.push(custom ? textOf(custom.input) : (called?.arguments ?? ""));
  calls.set(index, known);
}

function wholeChoice({ delta: _delta, ...choice }: ChunkChoice, { texts, lists, calls }: GrowingMessage): object {
  const message: Record<string, unknown> = { role: "assistant", ...Object.fromEntries(lists) };
  for (const [field, parts] of texts) message[field] = parts.join("");
  const toolCalls = [...calls.values()].map(({ call, arguments: parts }) => {
    const text = parts.join("");
    if (isRecord(call.custom)) return { ...call, custom: { ...call.custom, input: text } };
    return { ...call, function: { ...call.function, arguments: text } };
  });
  if (toolCalls.length > 0) message.tool_calls = toolCalls;
  return { ...choice, message } satisfies Partial<Omit<Choice, "message">> & { readonly message: object };
}
