import { isRecord, optionalText, parseJson, textOf } from "../../../src/engine/dialects/wire-values.ts";
import type { GatewayError } from "../../../src/engine/errors.ts";
import { eventReader } from "../../shared/anthropic/events.ts";
import type { WireBlock, WireDelta, WireEvent } from "../../shared/anthropic/wire.ts";
import type { EventDecoder } from "../../shared/chat/decode.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { citationOf, sequenceOf, stopOf, usageOf } from "./answer.ts";
import type { BlockEvent, ConverseUsage } from "./wire.ts";

interface ConverseDecoderContext extends Translation {
  fault(event: readonly [string, unknown]): GatewayError;
}

/** A decoder of ConverseStream's events, `{ [type]: payload }` each: they are Anthropic's under other names. */
export function eventDecoder(context: ConverseDecoderContext): EventDecoder {
  const reader = eventReader({ ...context, fault: (body) => context.fault(["error", body]) });
  const open = new Set<number>();
  return {
    read(data, out) {
      const event = parseJson(data);
      const [type = "", payload] = isRecord(event) ? (Object.entries(event)[0] ?? []) : [];
      if (type === "error" || type.endsWith("Exception")) throw context.fault([type, payload]);
      return eventsOf(type, isRecord(payload) ? payload : {}, open).some((reported) => reader.read(reported, out));
    },
    end: (out) => reader.end(out),
  };
}

function eventsOf(type: string, payload: Record<string, unknown>, open: Set<number>): WireEvent[] {
  switch (type) {
    case "messageStart":
      return [{ type: "message_start" }];
    case "contentBlockStart":
    case "contentBlockDelta":
      return blockEvents(payload, open);
    case "contentBlockStop":
      return [{ type: "content_block_stop", index: Number(payload.contentBlockIndex ?? 0) }];
    case "messageStop":
      return [{ type: "message_delta", delta: stopDelta(payload) }];
    case "metadata":
      return [
        { type: "message_delta", usage: usageOf(payload.usage as ConverseUsage | undefined) ?? null },
        { type: "message_stop" },
      ];
    default:
      return [];
  }
}

function stopDelta({ stopReason, additionalModelResponseFields: extras }: Record<string, unknown>): WireDelta {
  return { stop_reason: stopOf(optionalText(stopReason)) ?? null, stop_sequence: sequenceOf(extras) };
}

/** Only calls have a first event here: other blocks begin with the first that is heard of them. */
function blockEvents({ contentBlockIndex: index = 0, start, delta = {} }: BlockEvent, open: Set<number>): WireEvent[] {
  const { toolUse: called } = start ?? {};
  const begun: WireBlock | undefined = called
    ? { type: "tool_use", id: called.toolUseId ?? null, name: called.name ?? null }
    : firstOf(delta);
  const reported = deltaOf(delta);
  const events: WireEvent[] = [];
  if (begun !== undefined && !open.has(index)) {
    open.add(index);
    events.push({ type: "content_block_start", index, content_block: begun });
  }
  return reported === undefined ? events : [...events, { type: "content_block_delta", index, delta: reported }];
}

function firstOf({
  text,
  citation,
  reasoningContent: thought,
}: NonNullable<BlockEvent["delta"]>): WireBlock | undefined {
  if (thought?.redactedContent) return { type: "redacted_thinking", data: thought.redactedContent };
  if (thought) return { type: "thinking" };
  return text !== undefined || citation ? { type: "text" } : undefined;
}

function deltaOf(delta: NonNullable<BlockEvent["delta"]>): WireDelta | undefined {
  const { text, toolUse, reasoningContent: thought, citation } = delta;
  if (text !== undefined) return { type: "text_delta", text };
  if (toolUse) return { type: "input_json_delta", partial_json: textOf(toolUse.input) };
  if (thought?.signature) return { type: "signature_delta", signature: thought.signature };
  if (thought?.text) return { type: "thinking_delta", thinking: thought.text };
  return citation ? { type: "citations_delta", citation: citationOf(citation) } : undefined;
}
