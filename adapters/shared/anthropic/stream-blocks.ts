import type { Delta, ReasoningDetail } from "../../../src/engine/api/message.ts";
import {
  type AnthropicOwnBlock,
  isOwnBlock,
  ownBlockDetail,
} from "../../../src/engine/dialects/anthropic/own-blocks.ts";
import { redactedDetail, thoughtDetail } from "../../../src/engine/dialects/anthropic/reasoning.ts";
import { type PlaceList, placeList } from "../../../src/engine/dialects/order.ts";
import { parseJson, textOf } from "../../../src/engine/dialects/wire-values.ts";
import type { Translation } from "../chat/fields.ts";
import { functionName } from "../chat/function-name.ts";
import { annotationsOf, callIdOf, searchResultsOf, type WebSearchResult, warnOfBlock } from "./blocks.ts";
import type { WireBlock, WireCitation, WireDelta } from "./wire.ts";

/** A block between its first and its last event. */
interface OpenBlock {
  /** Its `index` among thoughts, text and tool calls, for thoughts; the number of its call, for tools. */
  readonly index: number;
  readonly kind: "text" | "thinking" | "tool" | "own" | "other";
  /** Arguments that its first event already held. */
  readonly input: unknown;
  /** Where its text begins in the message's. */
  readonly start: number;
  readonly citations: WireCitation[];
  /** Of a block of the vendor's own tools: as it began, and what of its input came later. */
  readonly own?: AnthropicOwnBlock;
  json: string;
  hasContent: boolean;
}

/** The blocks of a message while its events come in. */
export interface BlockReader {
  /** The deltas of the block's first event, in order. */
  open(at: number, block: WireBlock): Delta[];
  delta(at: number, delta: WireDelta): Delta[];
  close(at: number): Delta[];
  /** Closes what the vendor left open. */
  closeAll(): Delta[];
  readonly found: readonly WebSearchResult[];
}

interface BlockState {
  readonly open: Map<number, OpenBlock>;
  readonly found: WebSearchResult[];
  textLength: number;
  readonly places: PlaceList;
  tools: number;
}

/** A reader of one message's blocks, whose events may come in any order between the blocks. */
export function blockReader(context: Translation): BlockReader {
  const state: BlockState = { open: new Map(), found: [], textLength: 0, places: placeList(), tools: 0 };
  return {
    open: (at, block) => openBlock(state, { at, block }, context),
    delta: (at, delta) => readDelta(state, at, delta),
    close: (at) => closeBlock(state, at),
    closeAll: () => [...state.open.keys()].flatMap((at) => closeBlock(state, at)),
    found: state.found,
  };
}

function openBlock(state: BlockState, { at, block }: { at: number; block: WireBlock }, context: Translation): Delta[] {
  const { type, input } = block;
  const base = { input, start: state.textLength, citations: [...(block.citations ?? [])], json: "", hasContent: false };
  if (type === "tool_use") {
    state.places.call();
    const index = state.tools++;
    state.open.set(at, { ...base, index, kind: "tool" });
    const named = { name: functionName(block.name), arguments: "" };
    return [{ tool_calls: [{ index, id: callIdOf(block, index, context), type: "function", function: named }] }];
  }
  if (type === "thinking") {
    const open: OpenBlock = { ...base, index: state.places.thought(), kind: "thinking" };
    state.open.set(at, open);
    return [...thoughtDelta(open, textOf(block.thinking)), ...signatureDelta(open, textOf(block.signature))];
  }
  if (type === "redacted_thinking") return [detailDelta(redactedDetail(state.places.thought(), textOf(block.data)))];
  if (type === "web_search_tool_result") state.found.push(...searchResultsOf(block, context));
  if (isOwnBlock(block)) {
    state.open.set(at, { ...base, index: state.places.thought(), kind: "own", own: block });
    return [];
  }
  state.open.set(at, { ...base, index: -1, kind: type === "text" ? "text" : "other" });
  if (type === "text") return textDelta(state, textOf(block.text));
  warnOfBlock(block, context);
  return [];
}

function readDelta(state: BlockState, at: number, delta: WireDelta): Delta[] {
  const open = state.open.get(at);
  if (delta.type === "text_delta") return textDelta(state, textOf(delta.text));
  if (delta.type === "citations_delta" && delta.citation) open?.citations.push(delta.citation);
  if (open?.kind === "thinking") {
    if (delta.type === "thinking_delta") return thoughtDelta(open, textOf(delta.thinking));
    if (delta.type === "signature_delta") return signatureDelta(open, textOf(delta.signature));
  }
  if (open?.kind === "own" && delta.type === "input_json_delta") open.json += textOf(delta.partial_json);
  if (open?.kind === "tool" && delta.type === "input_json_delta")
    return argumentsDelta(open, textOf(delta.partial_json));
  return [];
}

function closeBlock(state: BlockState, at: number): Delta[] {
  const open = state.open.get(at);
  if (open === undefined) return [];
  state.open.delete(at);
  if (open.own !== undefined) return [detailDelta(ownBlockDetail(withInput(open.own, open.json), open.index))];
  if (open.kind === "tool" && !open.hasContent) return argumentsDelta(open, JSON.stringify(open.input ?? {}));
  if (open.kind === "thinking" && !open.hasContent) return [detailDelta(thoughtDetail(open.index, {}))];
  const cited = open.kind === "text" ? annotationsOf(open.citations, open.start, state.textLength) : [];
  return cited.length === 0 ? [] : [{ annotations: cited }];
}

/** The block with the input that came after its first event, where that is JSON. */
function withInput(block: AnthropicOwnBlock, json: string): AnthropicOwnBlock {
  const input = json === "" ? undefined : parseJson(json);
  return input === undefined ? block : Object.assign({ ...block }, { input });
}

function textDelta(state: BlockState, text: string): Delta[] {
  if (text === "") return [];
  state.textLength += text.length;
  state.places.text(state.textLength);
  return [{ content: text }];
}

function thoughtDelta(open: OpenBlock, text: string): Delta[] {
  if (text === "") return [];
  open.hasContent = true;
  return [{ reasoning: text, reasoning_details: [thoughtDetail(open.index, { text })] }];
}

function signatureDelta(open: OpenBlock, signature: string): Delta[] {
  if (signature === "") return [];
  open.hasContent = true;
  return [detailDelta(thoughtDetail(open.index, { signature }))];
}

function detailDelta(detail: ReasoningDetail): Delta {
  return { reasoning_details: [detail] };
}

function argumentsDelta(open: OpenBlock, json: string): Delta[] {
  if (json === "") return [];
  open.hasContent = true;
  return [{ tool_calls: [{ index: open.index, function: { arguments: json } }] }];
}
