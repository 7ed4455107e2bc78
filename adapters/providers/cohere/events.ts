import type { ChatChunk } from "../../../src/api/chat.ts";
import type { Delta } from "../../../src/api/message.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { EventDecoder } from "../../shared/chat/decode.ts";
import { withoutNullsWithin } from "../../shared/chat/nulls.ts";
import { asideOf } from "../../shared/chat/odd.ts";
import { isRecord, parseJson } from "../../shared/http/fault.ts";
import { failures, finishReasonOf } from "./blocks.ts";
import type { ReadingContext } from "./from-wire.ts";
import { type MessageReader, messageReader } from "./stream-message.ts";
import { toLogProbs, toUsage } from "./usage.ts";
import type { WireEvent } from "./wire.ts";

interface DecoderState {
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

interface Sink {
  readonly out: ChatChunk[];
  readonly context: ReadingContext;
}

function readEvent(state: DecoderState, event: WireEvent, { out, context }: Sink): boolean {
  if (event.type === "message-end") {
    readEnd(state, event, { out, context });
    return true;
  }
  if (event.type === "message-start") {
    state.id = asideOf(event.id) ?? state.id;
    out.push(chunkOf(state, { role: "assistant" }));
    return false;
  }
  const logProbs = event.logprobs === undefined ? undefined : toLogProbs([event.logprobs]);
  for (const delta of state.message.read(event)) {
    const chunk = chunkOf(state, delta);
    const [choice] = chunk.choices;
    out.push(logProbs && choice ? { ...chunk, choices: [{ ...choice, log_probs: logProbs }] } : chunk);
  }
  return false;
}

function readEnd(state: DecoderState, { delta = {} }: WireEvent, { out, context }: Sink): void {
  const { finish_reason: reason, error, usage: told } = delta;
  if (error || (reason !== undefined && failures.has(reason))) throw context.fault(reason ?? "ERROR", error);
  out.push(chunkOf(state, {}, finishReasonOf(reason, context) ?? "stop"));
  const usage = toUsage(told);
  if (usage) out.push({ ...envelopeOf(state), choices: [], usage });
}

function envelopeOf({ id, model, created }: DecoderState) {
  return { id, object: "chat.completion.chunk", created, model };
}

function chunkOf(state: DecoderState, delta: Delta, reason: string | null = null): ChatChunk {
  return { ...envelopeOf(state), choices: [{ index: 0, delta, finish_reason: reason }] };
}
