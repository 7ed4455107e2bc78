import type { Delta } from "../../../src/engine/api/message.ts";
import { readCitation } from "../../../src/engine/dialects/cohere/citations.ts";
import { thoughtDetail } from "../../../src/engine/dialects/cohere/reasoning.ts";
import { type PlaceList, placeList } from "../../../src/engine/dialects/order.ts";
import { optionalText, textOf } from "../../../src/engine/dialects/wire-values.ts";
import { statedArguments } from "../../shared/chat/call-arguments.ts";
import { functionName } from "../../shared/chat/function-name.ts";
import { callId } from "./message.ts";
import type { CohereWireEvent } from "./wire.ts";

/** A message while its events come in. */
export interface MessageReader {
  /** What an event between the first and the last says, as deltas in order. */
  read(event: CohereWireEvent): Delta[];
}

interface MessageState {
  /** The attempt's id, for calls that come without one. */
  readonly attempt: string;
  textLength: number;
  readonly places: PlaceList;
  /** Where in the text each block of the content began, by the vendor's index. */
  readonly blocks: Map<number, number>;
  /** The place of each thought, by the vendor's index of its block. */
  readonly thoughts: Map<number, number>;
  /** The number of each call, by the vendor's index. */
  readonly calls: Map<number, number>;
  /** The numbers of calls whose arguments have begun. */
  readonly begun: Set<number>;
}

/** A reader of one message's events; `attempt` names calls that the vendor gives no id. */
export function messageReader(attempt: string): MessageReader {
  const maps = { blocks: new Map(), thoughts: new Map(), calls: new Map() };
  const state: MessageState = { attempt, textLength: 0, places: placeList(), ...maps, begun: new Set() };
  return { read: (event) => readPiece(state, event) };
}

function readPiece(state: MessageState, event: CohereWireEvent): Delta[] {
  const { index = 0, delta: { message = {} } = {} } = event;
  switch (event.type) {
    case "content-start":
      state.blocks.set(index, state.textLength);
      return contentDelta(state, index, message.content);
    case "content-delta":
      return contentDelta(state, index, message.content);
    case "tool-plan-delta":
      return textDelta(state, textOf(message.tool_plan));
    case "tool-call-start":
      return startCall(state, index, message.tool_calls);
    case "tool-call-delta":
      return argumentsDelta(state, index, textOf(message.tool_calls?.function?.arguments));
    case "citation-start": {
      const annotation = message.citations ? readCitation(message.citations, state) : undefined;
      return annotation === undefined ? [] : [{ annotations: [annotation] }];
    }
    default:
      return [];
  }
}

type MessageDelta = NonNullable<NonNullable<CohereWireEvent["delta"]>["message"]>;

function contentDelta(
  state: MessageState,
  index: number,
  { text, thinking }: NonNullable<MessageDelta["content"]> = {},
): Delta[] {
  return [...thoughtDelta(state, index, textOf(thinking)), ...textDelta(state, textOf(text))];
}

function thoughtDelta(state: MessageState, index: number, text: string): Delta[] {
  if (text === "") return [];
  const { thoughts, places } = state;
  if (!thoughts.has(index)) thoughts.set(index, places.thought());
  return [{ reasoning: text, reasoning_details: [thoughtDetail(thoughts.get(index) ?? 0, text)] }];
}

function textDelta(state: MessageState, text: string): Delta[] {
  if (text === "") return [];
  state.textLength += text.length;
  state.places.text(state.textLength);
  return [{ content: text }];
}

function startCall(state: MessageState, index: number, raw: MessageDelta["tool_calls"]): Delta[] {
  if (raw === undefined) return []; // an event without a call says nothing
  const number = state.calls.size;
  state.places.call();
  state.calls.set(index, number);
  const text = statedArguments(textOf(raw.function?.arguments));
  if (text !== "") state.begun.add(number);
  const called = { name: functionName(raw.function?.name), arguments: text };
  const id = optionalText(raw.id) ?? callId(state.attempt, number);
  return [{ tool_calls: [{ index: number, id, type: "function", function: called }] }];
}

function argumentsDelta(state: MessageState, index: number, text: string): Delta[] {
  if (text === "") return [];
  const number = state.calls.get(index) ?? Math.max(0, state.calls.size - 1);
  const stated = state.begun.has(number) ? text : statedArguments(text);
  state.begun.add(number);
  return [{ tool_calls: [{ index: number, function: { arguments: stated } }] }];
}
