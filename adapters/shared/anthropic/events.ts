import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import type { Delta } from "../../../src/engine/api/message.ts";
import type { AnthropicWireUsage } from "../../../src/engine/dialects/anthropic/usage.ts";
import { mergeUsage, readUsage } from "../../../src/engine/dialects/anthropic/usage.ts";
import { isRecord, optionalText, parseJson } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { EventDecoder } from "../chat/decode.ts";
import type { Translation } from "../chat/fields.ts";
import { type ChoiceEnding, endingOf, refusalOf } from "./blocks.ts";
import { type BlockReader, blockReader } from "./stream-blocks.ts";
import type { WireEvent, WireMessage, WireStop } from "./wire.ts";

/** What a decoder knows of its target, and whom it asks for the error that an `error` event is. */
export interface AnthropicDecoderContext extends Translation {
  fault(body: unknown): GatewayError;
}

interface AnthropicDecoderState {
  id: string;
  model: string;
  readonly created: number;
  readonly blocks: BlockReader;
  usage: AnthropicWireUsage | undefined;
  hasStarted: boolean;
  hasStopped: boolean;
}

/** Reads events that are parsed already; as {@link EventDecoder} otherwise. */
export interface EventReader extends Pick<EventDecoder, "end"> {
  read(event: WireEvent, out: ChatChunk[]): boolean;
}

/** A decoder of the Messages API's events; each stream needs its own. */
export function eventDecoder(context: AnthropicDecoderContext): EventDecoder {
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
export function eventReader(context: AnthropicDecoderContext): EventReader {
  const { id, model, startedAt } = context.call;
  const blocks = blockReader(context);
  const state: AnthropicDecoderState = {
    id,
    model,
    created: Math.floor(startedAt / 1000),
    blocks,
    usage: undefined,
    hasStarted: false,
    hasStopped: false,
  };
  return {
    read: (event, out) => readEvent(state, event, { out, context }),
    end(out) {
      if (!state.hasStopped) throw broken(context, "ended before the answer was complete");
      pushUsage(state, out);
    },
  };
}

function broken({ provider }: AnthropicDecoderContext, problem: string): GatewayError {
  return new GatewayError("upstream_stream_broken", `The stream of ${provider} ${problem}.`, { provider });
}

/** Two answers in one stream, which a proxy mixed up: none of both is known to be the caller's. */
function spliced({ provider }: AnthropicDecoderContext): GatewayError {
  const message = `The stream of ${provider} began a second message before the first was complete.`;
  return new GatewayError("upstream_invalid_response", message, { provider });
}

interface AnthropicChunkSink {
  readonly out: ChatChunk[];
  readonly context: AnthropicDecoderContext;
}

function readEvent(state: AnthropicDecoderState, event: WireEvent, { out, context }: AnthropicChunkSink): boolean {
  const { type, index = 0 } = event;
  switch (type) {
    case "message_start":
      if (state.hasStopped) throw broken(context, "began a second message behind the first");
      if (state.hasStarted) throw spliced(context);
      state.hasStarted = true;
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
      reportUsed(context, state.usage);
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

function start(
  state: AnthropicDecoderState,
  { id, model, usage }: WireMessage,
  context: AnthropicDecoderContext,
): void {
  state.id = optionalText(id) ?? state.id;
  state.model = optionalText(model) ?? state.model;
  if (!usage) return;
  state.usage = mergeUsage({}, usage);
  reportUsed(context, { ...state.usage, output_tokens: 0 }); // `output_tokens` of the first event counts a token or a few, not the answer
}

function reportUsed({ call }: AnthropicDecoderContext, wire: AnthropicWireUsage): void {
  const usage = readUsage(wire);
  if (usage) call.used?.(usage);
}

function stop(state: AnthropicDecoderState, reported: WireStop, { out, context }: AnthropicChunkSink): void {
  const ending = endingOf(reported, context);
  if (ending.finish_reason === null || state.hasStopped) return;
  push(state, out, state.blocks.closeAll());
  state.hasStopped = true;
  const refusal = refusalOf(reported);
  const last = chunkOf(state, refusal === undefined ? {} : { refusal }, ending);
  out.push(state.blocks.found.length === 0 ? last : { ...last, search_results: [...state.blocks.found] });
}

function push(state: AnthropicDecoderState, out: ChatChunk[], deltas: readonly Delta[]): void {
  for (const delta of deltas) out.push(chunkOf(state, delta, open));
}

const open: ChoiceEnding = { finish_reason: null };

function chunkOf({ id, model, created }: AnthropicDecoderState, delta: Delta, ending: ChoiceEnding): ChatChunk {
  const choices = [{ index: 0, delta, ...ending }];
  return { id, object: "chat.completion.chunk", created, model, choices };
}

function pushUsage(state: AnthropicDecoderState, out: ChatChunk[]): void {
  const usage = readUsage(state.usage);
  if (usage === undefined) return;
  const tier = optionalText(state.usage?.service_tier);
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
