import type { ChatChunk, ChunkChoice } from "../../../../src/engine/api/chat.ts";
import type { Delta } from "../../../../src/engine/api/message.ts";
import type { Usage } from "../../../../src/engine/api/usage.ts";
import { readUsage } from "../../../../src/engine/dialects/openai/usage.ts";
import { isRecord, parseJson } from "../../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { unreadableAnswer } from "../../chat/lenient.ts";
import type { ReadItems } from "../../http/response/flatten-batches.ts";
import type { SseEvent } from "../../http/sse.ts";
import { callId, type Envelope, type ReadContext, readChoiceEnd, readEnvelope, throwFault } from "./answer.ts";
import { type ChunkTemplate, chunkTemplate } from "./chunk-template.ts";
import { addSeals, readMessageFields } from "./message.ts";
import { type ToolCallReader, toolCallReader } from "./tool-calls.ts";

/** Reads the events of one streamed answer. */
export interface ChunkReader {
  /** The chunks that a batch of events amounts to; throws the vendor's error where an event is one. */
  read(batch: readonly SseEvent[]): ReadItems<ChatChunk>;
  /** True once every choice that began has its finish reason. */
  isComplete(): boolean;
  /** The usage as a chunk of its own, if the vendor states it; throws `upstream_stream_broken` when the answer is not complete. */
  end(): ChatChunk | undefined;
}

/** The dollars that the head of an answer states, once it is there. */
export type CostOfHead = () => number | undefined;

/** A choice whose chunks are coming. */
interface OpenChoice {
  readonly toolCalls: ToolCallReader;
  isFinished: boolean;
}

/** What a reader keeps between events. */
interface ChunkReaderState {
  readonly reading: ReadContext;
  readonly statedCost: CostOfHead;
  readonly choices: Map<number, OpenChoice>;
  /** The fields that every chunk of the answer has in common, from the first chunk that states them. */
  envelope: Pick<Envelope, "id" | "created" | "model"> | undefined;
  usage: Usage | undefined;
  /** The chunk that brought the usage, when it brought nothing else. */
  usageEnvelope: Envelope | undefined;
  hasWarned: boolean;
  readonly template: ChunkTemplate;
}

/**
 * A reader of one stream. Usage is emitted once, at the end, since some vendors repeat it on every chunk. The cost that the head states
 * holds where the usage states none.
 */
export function chunkReader(reading: ReadContext, statedCost: CostOfHead = () => undefined): ChunkReader {
  const progress: ChunkReaderState = {
    reading,
    statedCost,
    choices: new Map(),
    envelope: undefined,
    usage: undefined,
    usageEnvelope: undefined,
    hasWarned: false,
    template: chunkTemplate(),
  };
  const isComplete = () =>
    progress.choices.size > 0 && [...progress.choices.values()].every((choice) => choice.isFinished);
  return {
    read: (batch) => readBatch(progress, batch),
    isComplete,
    end() {
      if (!isComplete()) throw broken(reading);
      const cost = progress.usage === undefined ? statedCost() : undefined;
      if (cost !== undefined) reading.call.charged?.(cost);
      return usageChunk(progress);
    },
  };
}

/** Chunks before a fault are emitted before the fault is thrown. */
function readBatch(progress: ChunkReaderState, batch: readonly SseEvent[]): ReadItems<ChatChunk> {
  if (batch.length === 1) {
    const alike = progress.template.read((batch[0] as SseEvent).data);
    if (alike !== undefined) return { items: [alike], broken: undefined }; // room for one
  }
  const items: ChatChunk[] = [];
  try {
    for (const { data } of batch) {
      const chunk = data === "[DONE]" ? undefined : readChunk(progress, data);
      if (chunk !== undefined) items.push(chunk);
    }
  } catch (thrown) {
    return { items, broken: { thrown: unreadableAnswer(thrown, progress.reading.provider) } };
  }
  return { items, broken: undefined };
}

function readChunk(progress: ChunkReaderState, data: string): ChatChunk | undefined {
  const alike = progress.template.read(data);
  if (alike !== undefined) return alike;
  const chunk = readEvent(progress, data);
  if (chunk !== undefined) progress.template.learn(data, chunk);
  return chunk;
}

/** The usage of an event, which Groq tells in `x_groq` and Kimi in its choice, too. */
function usageIn({ usage, x_groq: ofGroq, choices }: Record<string, unknown>): Usage | undefined {
  const ofChoice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return (
    readUsage(usage) ??
    [ofGroq, ofChoice].map((holder) => readUsage(isRecord(holder) ? holder.usage : undefined)).find(Boolean)
  );
}

function readEvent(progress: ChunkReaderState, data: string): ChatChunk | undefined {
  const parsed = parseJson(data);
  const raw: unknown = Array.isArray(parsed) ? parsed[0] : parsed; // Google sends an error as a list
  if (!isRecord(raw)) return warnUnreadable(progress);
  throwFault(raw, progress.reading);
  const usage = usageIn(raw);
  if (!Array.isArray(raw.choices) && usage === undefined) return warnUnreadable(progress);
  const envelope = readEnvelope(raw, progress.reading);
  progress.envelope ??= raw.id ? { id: envelope.id, created: envelope.created, model: envelope.model } : undefined;
  Object.assign(envelope, progress.envelope);
  const choices = readChoices(progress, Array.isArray(raw.choices) ? raw.choices : []);
  if (choices.length === 0 && usage === undefined) return undefined; // Azure's first event tells of the prompt only
  if (usage !== undefined) {
    const cost = progress.statedCost();
    if (cost !== undefined) usage.upstream_cost ??= cost;
    progress.usage = usage;
    progress.reading.call.used?.(usage);
    if (choices.length === 0) {
      progress.usageEnvelope = envelope;
      return undefined;
    }
  }
  return { ...envelope, object: "chat.completion.chunk", choices };
}

function warnUnreadable(progress: ChunkReaderState): undefined {
  if (!progress.hasWarned)
    progress.reading.call.warn(`an event of ${progress.reading.provider} could not be read and was skipped`);
  progress.hasWarned = true;
}

function readChoices(progress: ChunkReaderState, raw: readonly unknown[]): ChunkChoice[] {
  const choices: ChunkChoice[] = [];
  for (const choice of raw) {
    if (isRecord(choice)) choices.push(readChoice(progress, choice, choices.length));
  }
  return choices;
}

function readChoice(progress: ChunkReaderState, raw: Record<string, unknown>, at: number): ChunkChoice {
  const end = readChoiceEnd(raw, at, progress.reading);
  const open = progress.choices.get(end.index);
  const state = open ?? openChoice(progress, end.index);
  const fields = readMessageFields(raw.delta ?? raw.message);
  if (fields.tool_calls !== undefined) fields.tool_calls = state.toolCalls.read(fields.tool_calls);
  addSeals(fields);
  if (open === undefined) fields.role = "assistant";
  if (end.finish_reason !== null) {
    state.toolCalls.end();
    state.isFinished = true;
  }
  return { ...end, delta: fields as Delta };
}

function openChoice(progress: ChunkReaderState, index: number): OpenChoice {
  const toolCalls = toolCallReader((n) => callId(progress.reading, index, n));
  const choice = { toolCalls, isFinished: false };
  progress.choices.set(index, choice);
  return choice;
}

function usageChunk({ usage, usageEnvelope, envelope, reading }: ChunkReaderState): ChatChunk | undefined {
  if (usage === undefined) return undefined;
  const from = usageEnvelope ?? envelope ?? readEnvelope({}, reading);
  return { ...from, object: "chat.completion.chunk", choices: [], usage };
}

function broken({ provider }: ReadContext): GatewayError {
  const message = `The stream of ${provider} ended before it was complete.`;
  return new GatewayError("upstream_stream_broken", message, { provider });
}
