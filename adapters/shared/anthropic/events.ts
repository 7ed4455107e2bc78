import type { ChatChunk } from "../../../src/api/chat.ts";
import type { Delta } from "../../../src/api/message.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { EventDecoder } from "../chat/decode.ts";
import type { Translation } from "../chat/fields.ts";
import { asideOf } from "../chat/odd.ts";
import { isRecord, parseJson } from "../http/fault.ts";
import { finishReasonOf, refusalOf } from "./blocks.ts";
import { type BlockReader, blockReader } from "./stream-blocks.ts";
import { mergeUsage, toUsage } from "./usage.ts";
import type { WireEvent, WireMessage, WireStop, WireUsage } from "./wire.ts";

/** What a decoder knows of its target, and whom it asks for the error that an `error` event is. */
export interface DecoderContext extends Translation {
  fault(body: unknown): GatewayError;
}

interface DecoderState {
  id: string;
  model: string;
  readonly created: number;
  readonly blocks: BlockReader;
  usage: WireUsage | undefined;
  hasStopped: boolean;
}

/** Reads events that are parsed already; as {@link EventDecoder} otherwise. */
export interface EventReader extends Pick<EventDecoder, "end"> {
  read(event: WireEvent, out: ChatChunk[]): boolean;
}

/** A decoder of the Messages API's events; each stream needs its own. */
export function eventDecoder(context: DecoderContext): EventDecoder {
  const reader = eventReader(context);
  return {
    read(data, out) {
      const event = parseJson(data);
      if (isRecord(event)) return reader.read(event, out);
      context.call.warn("one event of the stream could not be read and was skipped");
      return false;
    },
    end: (out) => reader.end(out),
  };
}

/** The same for clouds that pack the events otherwise. */
export function eventReader(context: DecoderContext): EventReader {
  const { id, model, startedAt } = context.call;
  const blocks = blockReader(context);
  const state: DecoderState = {
    id,
    model,
    created: Math.floor(startedAt / 1000),
    blocks,
    usage: undefined,
    hasStopped: false,
  };
  return {
    read: (event, out) => readEvent(state, event, { out, context }),
    end(out) {
      if (!state.hasStopped) {
        const message = `The stream of ${context.provider} ended before the answer was complete.`;
        throw new GatewayError("upstream_stream_broken", message, { provider: context.provider });
      }
      pushUsage(state, out);
    },
  };
}

interface Sink {
  readonly out: ChatChunk[];
  readonly context: DecoderContext;
}

function readEvent(state: DecoderState, event: WireEvent, { out, context }: Sink): boolean {
  const { type, index = 0 } = event;
  switch (type) {
    case "message_start":
      start(state, event.message ?? {}, context);
      push(state, out, [{ role: "assistant" }]);
      return false;
    case "content_block_start":
      push(state, out, state.blocks.open(index, event.content_block ?? {}));
      return false;
    case "content_block_delta":
      push(state, out, state.blocks.delta(index, event.delta ?? {}));
      return false;
    case "content_block_stop":
      push(state, out, state.blocks.close(index));
      return false;
    case "message_delta":
      state.usage = mergeUsage(state.usage ?? {}, event.usage);
      tellUsed(context, state.usage);
      stop(state, event.delta ?? {}, { out, context });
      return false;
    case "message_stop":
      if (state.hasStopped) pushUsage(state, out);
      return state.hasStopped;
    case "error":
      throw context.fault(event);
    default:
      return false;
  }
}

function start(state: DecoderState, { id, model, usage }: WireMessage, context: DecoderContext): void {
  state.id = asideOf(id) ?? state.id;
  state.model = asideOf(model) ?? state.model;
  if (!usage) return;
  state.usage = mergeUsage({}, usage);
  tellUsed(context, { ...state.usage, output_tokens: 0 }); // says nothing yet of the answer: a token or a few
}

function tellUsed({ call }: DecoderContext, wire: WireUsage): void {
  const usage = toUsage(wire);
  if (usage) call.used?.(usage);
}

function stop(state: DecoderState, said: WireStop, { out, context }: Sink): void {
  const reason = finishReasonOf(said, context);
  if (reason === null || state.hasStopped) return;
  push(state, out, state.blocks.closeAll());
  state.hasStopped = true;
  const refusal = refusalOf(said);
  const last = chunkOf(state, refusal === undefined ? {} : { refusal }, reason);
  out.push(state.blocks.found.length === 0 ? last : { ...last, search_results: [...state.blocks.found] });
}

function push(state: DecoderState, out: ChatChunk[], deltas: readonly Delta[]): void {
  for (const delta of deltas) out.push(chunkOf(state, delta, null));
}

function chunkOf({ id, model, created }: DecoderState, delta: Delta, reason: string | null): ChatChunk {
  const choices = [{ index: 0, delta, finish_reason: reason }];
  return { id, object: "chat.completion.chunk", created, model, choices };
}

function pushUsage(state: DecoderState, out: ChatChunk[]): void {
  const usage = toUsage(state.usage);
  if (usage === undefined) return;
  const tier = asideOf(state.usage?.service_tier);
  const { id, model, created } = state;
  out.push({
    id,
    object: "chat.completion.chunk",
    created,
    model,
    choices: [],
    usage,
    ...(tier === undefined ? {} : { service_tier: tier }),
  });
}
