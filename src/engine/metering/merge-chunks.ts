import type { ChatChunk, ChatResponse, Choice, ChunkChoice, Ending, LogProbs } from "../api/chat.ts";
import type { ChatMessage, Delta, ReasoningDetail, ToolCall, ToolCallDelta } from "../api/message.ts";
import { isTextTie, isTied, type PlaceList, placeList } from "../dialects/order.ts";

/** A choice while its chunks come in. */
interface MergedChoice {
  finishReason: string | null;
  readonly message: ChatMessage;
  readonly toolCalls: Map<number, ToolCall>;
  readonly reasoningDetails: Map<string, ReasoningDetail>;
  logProbs: LogProbs | undefined;
  ending: Ending;
  readonly places: PlaceList;
}

/**
 * The whole answer that a stream's chunks amount to: text, reasoning and refusal joined per choice, tool calls by `index`,
 * reasoning details by `index` and type, the last usage. A message without any text has `content: null`, as whole answers have;
 * tool calls lose their `index`, their order says it; where texts do not just stand before the calls, both have places instead.
 */
export function mergeChunks(chunks: Iterable<ChatChunk>): ChatResponse {
  const open = new Map<number, MergedChoice>();
  const whole: Record<string, unknown> = {};
  for (const chunk of chunks) {
    const { choices, object: _object, extra_fields: _extra, usage, ...rest } = chunk;
    for (const [name, value] of Object.entries(rest)) if (value !== undefined) whole[name] = value;
    if (usage) whole.usage = usage;
    for (const choice of choices) addChoice(open, choice);
  }
  const choices = [...open.entries()].sort(([a], [b]) => a - b).map(([index, choice]) => closeChoice(index, choice));
  return { ...(whole as Omit<ChatResponse, "choices" | "object">), object: "chat.completion", choices } as ChatResponse;
}

function addChoice(open: Map<number, MergedChoice>, chunk: ChunkChoice): void {
  const { index, delta, finish_reason, log_probs } = chunk;
  let choice = open.get(index);
  if (!choice) {
    const message: ChatMessage = { role: "assistant", content: null };
    const parts = { toolCalls: new Map(), reasoningDetails: new Map() };
    choice = { finishReason: null, message, ...parts, logProbs: undefined, ending: {}, places: placeList() };
    open.set(index, choice);
  }
  addDelta(choice, delta);
  if (finish_reason !== null && finish_reason !== undefined) choice.finishReason = finish_reason;
  choice.ending = endingOf(chunk, choice.ending);
  if (log_probs) choice.logProbs = joinLogProbs(choice.logProbs, log_probs);
}

/** What is known of the end, with what a chunk says of it. */
function endingOf({ stop_sequence: sequence, native_finish_reason: native }: ChunkChoice, known: Ending): Ending {
  if (sequence === undefined && native === undefined) return known;
  return {
    ...known,
    ...(sequence === undefined ? {} : { stop_sequence: sequence }),
    ...(native === undefined ? {} : { native_finish_reason: native }),
  };
}

function addDelta(choice: MergedChoice, delta: Delta): void {
  const { message, places } = choice;
  for (const detail of delta.reasoning_details ?? []) {
    addReasoning(choice.reasoningDetails, detail);
    if (!isTied(detail)) places.thought(detail.index ?? 0);
  }
  if (typeof delta.content === "string") {
    const text = `${message.content ?? ""}${delta.content}`;
    message.content = text;
    if (delta.content !== "") places.text(text.length);
  }
  for (const detail of delta.reasoning_details ?? []) if (isTextTie(detail)) places.sign(detail.index ?? 0);
  if (typeof delta.reasoning === "string") message.reasoning = `${message.reasoning ?? ""}${delta.reasoning}`;
  if (typeof delta.refusal === "string") message.refusal = `${message.refusal ?? ""}${delta.refusal}`;
  if (delta.audio) message.audio = join(message.audio ?? undefined, delta.audio);
  if (delta.annotations) message.annotations = [...(message.annotations ?? []), ...delta.annotations];
  if (Array.isArray(delta.images)) {
    message.images = [...((message.images as unknown[]) ?? []), ...delta.images];
    for (const _image of delta.images) places.other();
  }
  for (const call of delta.tool_calls ?? []) {
    if (!choice.toolCalls.has(call.index ?? 0)) places.call();
    addToolCall(choice.toolCalls, call);
  }
}

function addToolCall(calls: Map<number, ToolCall>, delta: ToolCallDelta): void {
  const { index = 0, function: part, ...rest } = delta;
  const known = calls.get(index);
  const { custom } = rest as { custom?: ChunkFields };
  calls.set(index, {
    ...known,
    ...rest,
    ...(custom && { custom: join(known?.custom as ChunkFields, custom) }),
    ...(part && { function: join(known?.function ?? { arguments: "" }, part) }),
  });
}

function addReasoning(details: Map<string, ReasoningDetail>, delta: ReasoningDetail): void {
  const key = `${delta.index ?? 0} ${delta.type}`;
  details.set(key, join(details.get(key), delta));
}

/** Joins a piece to what is known: its texts are appended, its other fields replace earlier ones. Fields it omits stay. */
function join<ReportedChunk extends ChunkFields>(
  known: ReportedChunk | undefined,
  piece: ReportedChunk,
): ReportedChunk {
  if (!known) return { ...piece };
  const joined: ChunkFields = { ...known };
  for (const [name, value] of Object.entries(piece)) {
    if (value !== undefined && value !== null) joined[name] = grows.has(name) ? `${joined[name] ?? ""}${value}` : value;
  }
  return joined as ReportedChunk;
}

type ChunkFields = Record<string, unknown>;

const grows: ReadonlySet<string> = new Set(["arguments", "input", "text", "summary", "data", "transcript"]);

function joinLogProbs(known: LogProbs | undefined, delta: LogProbs): LogProbs {
  const merged: LogProbs = { ...known, ...delta };
  if (known?.content || delta.content) merged.content = [...(known?.content ?? []), ...(delta.content ?? [])];
  if (known?.refusal || delta.refusal) merged.refusal = [...(known?.refusal ?? []), ...(delta.refusal ?? [])];
  return merged;
}

function closeChoice(index: number, choice: MergedChoice): Choice {
  const { message, toolCalls, reasoningDetails, logProbs, finishReason, ending, places } = choice;
  const calls = [...toolCalls.entries()].sort(([a], [b]) => a - b).map(([, call]) => call);
  const details = [...reasoningDetails.values()].sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
  Object.assign(message, places.mark(calls));
  if (details.length > 0) message.reasoning_details = details;
  return { index, finish_reason: finishReason, message, ...ending, ...(logProbs ? { log_probs: logProbs } : {}) };
}
