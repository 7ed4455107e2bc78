import type { ChatChunk, ChunkChoice } from "../../../src/engine/api/chat.ts";
import type { Usage } from "../../../src/engine/api/usage.ts";
import { readUsage } from "../../../src/engine/dialects/gemini/usage.ts";
import { isRecord, optionalText } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import { parseWithIds } from "../../../src/engine/runtime/json/exact-json.ts";
import type { EventDecoder } from "../chat/decode.ts";
import type { Translation } from "../chat/fields.ts";
import { withoutNullsWithin } from "../chat/without-nulls.ts";
import { type AnswerReader, answerReader, type ChoiceStep } from "./answer.ts";
import type { WireResponse } from "./wire.ts";

/** What a decoder knows of its target, and whom it asks for the error that an event is. */
export interface GeminiDecoderContext extends Translation {
  fault(body: unknown): GatewayError;
}

/**
 * A decoder of `streamGenerateContent`; each stream needs its own. The vendor has no last event: the end of the stream is the end, and
 * only then the finish reasons are emitted.
 */
export function eventDecoder(context: GeminiDecoderContext): EventDecoder {
  const reader = answerReader(context);
  const begun = new Set<number>();
  const created = Math.floor(context.call.startedAt / 1000);

  function chunk(choices: ChunkChoice[]): ChatChunk {
    return { id: reader.reported.id, object: "chat.completion.chunk", created, model: reader.reported.model, choices };
  }

  return {
    read(data, out) {
      const event = withoutNullsWithin(parseWithIds(data), "args");
      if (!isRecord(event)) {
        context.call.warn("one event of the stream could not be read and was skipped");
        return false;
      }
      if ("error" in event) throw context.fault(event);
      const steps = reader.read(event as WireResponse);
      const used = event.usageMetadata ? usageOf(reader) : undefined;
      if (used) context.call.used?.(used);
      for (const step of steps) {
        if (!begun.has(step.index))
          out.push(chunk([{ index: step.index, delta: { role: "assistant" }, finish_reason: null }]));
        begun.add(step.index);
        for (const choice of choicesOf(step)) out.push(chunk([choice]));
      }
      return false;
    },
    end(out) {
      if (!reader.isComplete()) throw broken(context);
      for (const { index, reason, annotations } of reader.ends()) {
        const delta = annotations.length === 0 ? {} : { annotations: [...annotations] };
        out.push(chunk([{ index, delta, finish_reason: reason }]));
      }
      const last = lastChunk(reader, chunk([]));
      if (last !== undefined) out.push(last);
    },
  };
}

/** One choice per delta, the log probabilities of the event on the first. */
function choicesOf({ index, deltas, logProbs }: ChoiceStep): ChunkChoice[] {
  if (logProbs === undefined) return deltas.map((delta) => ({ index, delta, finish_reason: null }));
  const [first = {}, ...rest] = deltas;
  return [
    { index, delta: first, finish_reason: null, log_probs: logProbs },
    ...rest.map((delta) => ({ index, delta, finish_reason: null })),
  ];
}

/** Usage, and what was found on the way. */
function lastChunk(reader: AnswerReader, base: ChatChunk): ChatChunk | undefined {
  const { reported, searches } = reader;
  const { results } = searches();
  const usage = usageOf(reader);
  const tier = optionalText(reported.usage?.serviceTier);
  if (usage === undefined && results.length === 0) return undefined;
  return {
    ...base,
    ...(tier === undefined ? {} : { service_tier: tier }),
    ...(usage === undefined ? {} : { usage }),
    ...(results.length === 0 ? {} : { search_results: results }),
  };
}

function usageOf({ reported, searches }: AnswerReader): Usage | undefined {
  return readUsage(reported.usage, searches().queries);
}

function broken({ provider }: Translation): GatewayError {
  return new GatewayError("upstream_stream_broken", `The stream of ${provider} ended before the answer was complete.`, {
    provider,
  });
}
