import type { ChatMessage, ContentPart, ReasoningDetail, ToolCall } from "../../../engine/api/message.ts";
import { isTied, isUsualOrder, type PlaceKind } from "../../../engine/dialects/order.ts";
import { contentOf } from "./content.ts";

/** A past answer while its blocks are read in order. */
export interface AssistantContent {
  readonly parts: ContentPart[];
  readonly details: ReasoningDetail[];
  readonly calls: ToolCall[];
  /** What stands at each place. */
  readonly kinds: PlaceKind[];
  /** The text of its thoughts. */
  thought: string;
}

export function newTurn(): AssistantContent {
  return { parts: [], details: [], calls: [], kinds: [], thought: "" };
}

export function addText({ parts, kinds }: AssistantContent, part: ContentPart): void {
  parts.push(part);
  kinds.push("text");
}

/** Adds a thought at the next place; a signature that is tied to something has the place of what follows. */
export function addDetail({ details, kinds }: AssistantContent, detail: ReasoningDetail): void {
  details.push({ ...detail, index: kinds.length });
  if (!isTied(detail)) kinds.push("thought");
}

export function addCall({ calls, kinds }: AssistantContent, call: ToolCall): void {
  calls.push(call);
  kinds.push("call");
}

/** The message; its texts and calls have places where the texts do not just stand before the calls. */
export function turnMessage({ parts, details, calls, kinds, thought }: AssistantContent): ChatMessage {
  const isUsual = isUsualOrder(kinds, Number.POSITIVE_INFINITY);
  const places = { text: placesOf(kinds, "text"), call: placesOf(kinds, "call") };
  const texts = isUsual ? parts : parts.map((part, at) => ({ ...part, index: places.text[at] }));
  const called = isUsual ? calls : calls.map((call, at) => ({ ...call, index: places.call[at] }));
  return {
    role: "assistant",
    content: parts.length === 0 ? null : contentOf(texts as ContentPart[]),
    ...(thought === "" ? {} : { reasoning: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: called as ToolCall[] }),
  };
}

function placesOf(kinds: readonly PlaceKind[], kind: PlaceKind): number[] {
  return [...kinds.keys()].filter((at) => kinds[at] === kind);
}
