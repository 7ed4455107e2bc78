import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import type { Delta } from "../../../src/engine/api/message.ts";
import { type VendorEvent, withEvents } from "../../../src/engine/dialects/openai/native-response.ts";
import { type PlaceList, placeList } from "../../../src/engine/dialects/order.ts";
import { isRecord, parseJson, textOf } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { EventDecoder } from "../chat/decode.ts";
import { readLogProbs } from "../openai-compatible/response/logprobs.ts";
import { envelopeOf, failed, finishOf, type ResponseReading } from "./end.ts";
import { annotationOf, callOf, isCall, sealOf, summaryDetail, thoughtOf } from "./output.ts";
import { readResponseUsage } from "./usage.ts";

/** An item that has begun. */
interface OpenItem {
  /** Of a thought: its place in the message. */
  readonly place: number;
  /** Of a call: its place among the calls. */
  readonly call: number;
  /** Its text so far. */
  text: string;
}

interface DecoderState {
  readonly context: ResponseReading;
  readonly items: Map<unknown, OpenItem>;
  envelope: ReturnType<typeof envelopeOf> | undefined;
  readonly places: PlaceList;
  calls: number;
  /** Characters of text so far. */
  length: number;
  isComplete: boolean;
  hasWarned: boolean;
}

/** A decoder of one stream of the Responses API. */
export function responseDecoder(context: ResponseReading): EventDecoder {
  const counts = { calls: 0, length: 0, isComplete: false, hasWarned: false };
  const state: DecoderState = { context, items: new Map(), envelope: undefined, places: placeList(), ...counts };
  return {
    read(data, out) {
      const event = parseJson(data);
      if (!isRecord(event)) {
        warnUnreadable(state);
        return false;
      }
      return readEvent(state, { ...event, type: textOf(event.type) }, out);
    },
    end() {
      if (state.isComplete) return;
      const message = `The stream of ${context.provider} ended before it was complete.`;
      throw new GatewayError("upstream_stream_broken", message, { provider: context.provider });
    },
  };
}

function warnUnreadable(state: DecoderState): void {
  const { call, provider } = state.context;
  if (!state.hasWarned) call.warn(`an event of ${provider} could not be read and was skipped`);
  state.hasWarned = true;
}

const ends: ReadonlySet<string> = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** Appends the chunk of an event; true for the last of a response. */
function readEvent(state: DecoderState, event: VendorEvent, out: ChatChunk[]): boolean {
  const { context } = state;
  if (event.type === "error") throw failed(isRecord(event.error) ? event.error : event, context);
  const response = isRecord(event.response) ? event.response : undefined;
  const isFirst = state.envelope === undefined;
  state.envelope ??= envelopeOf(response ?? {}, context);
  if (ends.has(event.type)) {
    out.push(...lastChunks(state, response ?? {}, event));
    state.isComplete = true;
    return true;
  }
  const delta = { ...(isFirst ? { role: "assistant" } : {}), ...deltaOf(state, event) };
  const chunk = chunkOf(state, delta, null);
  const logprobs = event.type === "response.output_text.delta" && Array.isArray(event.logprobs) ? event.logprobs : [];
  const [choice] = chunk.choices;
  if (choice && logprobs.length > 0) choice.log_probs = readLogProbs({ content: logprobs });
  if (context.call.responses !== undefined) out.push(withEvents(chunk, [event]));
  else if (chunk.choices.length > 0) out.push(chunk);
  return false;
}

function chunkOf(state: DecoderState, delta: Delta, finish: string | null): ChatChunk {
  const envelope = state.envelope ?? envelopeOf({}, state.context);
  const choices =
    finish === null && Object.keys(delta).length === 0 ? [] : [{ index: 0, delta, finish_reason: finish }];
  return { ...envelope, object: "chat.completion.chunk", choices };
}

function lastChunks(state: DecoderState, response: Record<string, unknown>, event: VendorEvent): ChatChunk[] {
  const { context } = state;
  const finish = finishOf(response, context);
  const usage = readResponseUsage(response);
  if (usage) context.call.used?.(usage);
  const tier = typeof response.service_tier === "string" ? { service_tier: response.service_tier } : {};
  const last = chunkOf(state, {}, finish);
  const ending = context.call.responses === undefined ? last : withEvents(last, [event]);
  return usage === undefined ? [ending] : [ending, { ...chunkOf(state, {}, null), ...tier, usage }];
}

function deltaOf(state: DecoderState, event: VendorEvent): Delta {
  const { type, delta, item } = event;
  switch (type) {
    case "response.output_item.added":
      return isRecord(item) ? openItem(state, event, item) : {};
    case "response.output_item.done":
      return isRecord(item) ? closeItem(state, event, item) : {};
    case "response.output_text.delta":
      return textDelta(state, grow(state, event));
    case "response.refusal.delta":
      return { refusal: textOf(delta) };
    case "response.output_text.annotation.added":
      return { annotations: annotationOf(event.annotation) };
    case "response.reasoning_summary_part.added":
      return startThought(state, event);
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      return thoughtDelta(state, event, grow(state, event));
    case "response.function_call_arguments.delta":
    case "response.custom_tool_call_input.delta":
      return callDelta(state, event, grow(state, event));
    default:
      return {};
  }
}

function itemOf(state: DecoderState, event: VendorEvent): OpenItem {
  const { output_index: at, item: raw } = event;
  const known = state.items.get(at);
  if (known !== undefined) return known;
  const isThought = event.type.startsWith("response.reasoning") || (isRecord(raw) && raw.type === "reasoning");
  const place = isThought ? state.places.thought() : -1;
  const item = { place, call: -1, text: "" };
  state.items.set(at, item);
  return item;
}

function grow(state: DecoderState, event: VendorEvent): string {
  const item = itemOf(state, event);
  const text = textOf(event.delta);
  item.text += text;
  return text;
}

function openItem(state: DecoderState, event: VendorEvent, item: Record<string, unknown>): Delta {
  if (item.type !== "reasoning" && item.type !== "message" && !isCall(item)) return {};
  const place = item.type === "reasoning" ? state.places.thought() : -1;
  const call = isCall(item) ? state.calls++ : -1;
  if (call >= 0) state.places.call();
  state.items.set(event.output_index, { place, call, text: "" });
  if (call < 0) return {};
  const { id, type, function: called, custom } = callOf({ ...item, arguments: "", input: "" });
  return { tool_calls: [{ index: call, id, type, ...(called ? { function: called } : { custom }) }] };
}

function textDelta(state: DecoderState, content: string): Delta {
  state.length += content.length;
  if (content !== "") state.places.text(state.length);
  return { content };
}

function callDelta(state: DecoderState, event: VendorEvent, text: string): Delta {
  const { call: index } = itemOf(state, event);
  if (index < 0) throw new TypeError("Arguments came for a call that was not opened.");
  const isCustom = event.type === "response.custom_tool_call_input.delta";
  return { tool_calls: [{ index, ...(isCustom ? { custom: { input: text } } : { function: { arguments: text } }) }] };
}

/** Summaries after the first begin a paragraph. */
function startThought(state: DecoderState, event: VendorEvent): Delta {
  const item = itemOf(state, event);
  if (item.text === "") return {};
  item.text += "\n\n";
  return thoughtDelta(state, event, "\n\n");
}

function thoughtDelta(state: DecoderState, event: VendorEvent, summary: string): Delta {
  const { place: index } = itemOf(state, event);
  return {
    reasoning: summary,
    reasoning_details: [summaryDetail(index, summary)],
  };
}

/** What an item says when it is whole and did not say before: its seal, and texts that came in one piece. */
function closeItem(state: DecoderState, event: VendorEvent, item: Record<string, unknown>): Delta {
  const open = state.items.get(event.output_index);
  if (item.type === "reasoning") return closeThought(itemOf(state, event), item);
  if (!isCall(item) || open === undefined) return {};
  const { function: called, custom } = callOf(item);
  const whole = called?.arguments ?? textOf(custom && (custom as { input?: unknown }).input);
  if (open.text !== "" || whole === "") return {};
  return {
    tool_calls: [{ index: open.call, ...(called ? { function: { arguments: whole } } : { custom: { input: whole } }) }],
  };
}

function closeThought(open: OpenItem, item: Record<string, unknown>): Delta {
  const missed = open.text === "" ? thoughtOf(item) : "";
  const type = open.text === "" && missed === "" ? "reasoning.encrypted" : "reasoning.summary";
  const detail = { type, index: open.place, ...(missed === "" ? {} : { summary: missed }), ...sealOf(item) } as const;
  return { ...(missed === "" ? {} : { reasoning: missed }), reasoning_details: [detail] };
}
