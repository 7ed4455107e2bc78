import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import type { Delta } from "../../../src/engine/api/message.ts";
import { readLogProbs } from "../../../src/engine/dialects/cohere/log-probs.ts";
import { readUsage } from "../../../src/engine/dialects/cohere/usage.ts";
import { isRecord, optionalText, parseJson } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { EventDecoder } from "../../shared/chat/decode.ts";
import { withoutNullsWithin } from "../../shared/chat/without-nulls.ts";
import { finishReasonOf, isFailure } from "./finish.ts";
import type { ReadingContext } from "./from-wire.ts";
import { type MessageReader, messageReader } from "./stream-message.ts";
import type { CohereWireEvent } from "./wire.ts";

interface CohereDecoderState {
  id: string;
  readonly model: string;
  readonly created: number;
  readonly message: MessageReader;
}

/** A decoder of the events of `POST /v2/chat`; each stream needs its own. `message-end` is the last that matters. */
export function eventDecoder(context: ReadingContext): EventDecoder {
  const { id, model, startedAt } = context.call;
  const state = { id, model, created: Math.floor(startedAt / 1000), message: messageReader(id) };
  return {
    read(data, out) {
      const event = withoutNullsWithin(parseJson(data));
      if (isRecord(event)) return readEvent(state, event, { out, context });
      if (data !== "[DONE]") context.call.warn("one event of the stream could not be read and was skipped");
      return false;
    },
    end() {
      const message = `The stream of ${context.provider} ended before the answer was complete.`;
      throw new GatewayError("upstream_stream_broken", message, { provider: context.provider });
    },
  };
}

interface CohereChunkSink {
  readonly out: ChatChunk[];
  readonly context: ReadingContext;
}

function readEvent(state: CohereDecoderState, event: CohereWireEvent, { out, context }: CohereChunkSink): boolean {
  if (event.type === "message-end") {
    readEnd(state, event, { out, context });
    return true;
  }
  if (event.type === "message-start") {
    state.id = optionalText(event.id) ?? state.id;
    out.push(chunkOf(state, { role: "assistant" }));
    return false;
  }
  const logProbs = event.logprobs === undefined ? undefined : readLogProbs([event.logprobs]);
  for (const delta of state.message.read(event)) {
    const chunk = chunkOf(state, delta);
    const [choice] = chunk.choices;
    out.push(logProbs && choice ? { ...chunk, choices: [{ ...choice, log_probs: logProbs }] } : chunk);
  }
  return false;
}

function readEnd(state: CohereDecoderState, { delta = {} }: CohereWireEvent, { out, context }: CohereChunkSink): void {
  const { finish_reason: reason, error, usage: raw } = delta;
  if (error || isFailure(reason)) throw context.fault(reason ?? "ERROR", error);
  out.push(chunkOf(state, {}, finishReasonOf(reason, context) ?? "stop"));
  const usage = readUsage(raw);
  if (usage) out.push({ ...envelopeOf(state), choices: [], usage });
}

function envelopeOf({ id, model, created }: CohereDecoderState) {
  return { id, object: "chat.completion.chunk", created, model };
}

function chunkOf(state: CohereDecoderState, delta: Delta, reason: string | null = null): ChatChunk {
  return { ...envelopeOf(state), choices: [{ index: 0, delta, finish_reason: reason }] };
}
