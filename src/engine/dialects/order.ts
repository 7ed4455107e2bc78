import type { ChatMessage, ContentPart, ReasoningDetail, ToolCall } from "../api/message.ts";
import { reasoningFormat as geminiFormat } from "./gemini/reasoning.ts";

/** Something of a message, with its place among the thoughts, texts and calls where that is known. */
export interface Positioned<Block> {
  readonly index?: number | undefined;
  readonly block: Block;
  /** It belongs to what has the same place, and stands before it. */
  readonly isTied?: boolean;
}

/** The parts of a message, each kind in its own order. */
export interface PositionedParts<Block> {
  readonly thoughts: readonly Positioned<Block>[];
  readonly texts: readonly Positioned<Block>[];
  readonly calls: readonly Positioned<Block>[];
}

/**
 * The parts of a message in order: by their places where all texts and calls have one of their own. Else thoughts stand at their places
 * and what has none around them, texts before calls; the `index` of calls then counts calls, as clients gather it from streams.
 */
export function inOrder<Block>({ thoughts, texts, calls }: PositionedParts<Block>): Block[] {
  const others = [...texts, ...calls];
  if (isPositioned(thoughts, others)) {
    const all = [...thoughts, ...others];
    return all.sort((one, other) => (one.index ?? 0) - (other.index ?? 0)).map(({ block }) => block);
  }
  const woven: Block[] = [];
  let place = 0;
  let used = 0;
  for (const { index = 0, block, isTied } of thoughts) {
    for (; place < index && used < others.length; place++) woven.push((others[used++] as Positioned<Block>).block);
    woven.push(block);
    if (isTied !== true) place++;
  }
  return [...woven, ...others.slice(used).map(({ block }) => block)];
}

function isPositioned(thoughts: readonly Positioned<unknown>[], others: readonly Positioned<unknown>[]): boolean {
  const alone = [...thoughts.filter(({ isTied }) => isTied !== true), ...others];
  return (
    others.every(({ index }) => index !== undefined) && new Set(alone.map(({ index }) => index)).size === alone.length
  );
}

/** True for a signature that belongs to the text or the call of its place, as Gemini has them. */
export function isTied({ type, format }: ReasoningDetail): boolean {
  return type === "reasoning.encrypted" && format === geminiFormat;
}

/** A text of a message with its place: a part of `content`, a stretch of it that `text_blocks` names, or all of it. */
export function textsOf({ content, text_blocks: blocks }: ChatMessage): Positioned<ContentPart>[] {
  if (typeof content !== "string") return (content ?? []).map((block) => ({ index: placeOf(block), block }));
  if (content === "") return [];
  if (blocks === undefined || blocks.at(-1)?.end_index !== content.length)
    return [{ block: { type: "text", text: content } }];
  return blocks.map(({ index, end_index: end }, at) => {
    const text = content.slice(blocks[at - 1]?.end_index ?? 0, end);
    return { index, block: { type: "text", text } };
  });
}

function placeOf({ index }: ContentPart): number | undefined {
  return typeof index === "number" ? index : undefined;
}

/** True for a signature of text: it names nothing by an id. */
export function isTextTie(detail: ReasoningDetail): boolean {
  return isTied(detail) && !detail.id;
}

/** What stands at each place of a message: a thought (its details say where), a text or a call. */
export type PlaceKind = "thought" | "text" | "call";

/** True where the order needs no telling: the texts, `most` of them at most, stand before the calls. */
export function isUsualOrder(kinds: readonly PlaceKind[], most: number): boolean {
  const call = kinds.indexOf("call");
  if (call !== -1 && kinds.lastIndexOf("text") > call) return false;
  return most === Number.POSITIVE_INFINITY || kinds.filter((kind) => kind === "text").length <= most;
}

/** The places of a message whose parts are read one after the other. */
export interface PlaceList {
  /** The place of a thought: `index`, or else the next one. One whose place has passed is a piece of what was there. */
  thought(index?: number): number;
  /** The place of a thought that is read late: `index`, where the text read last stands there and so moves behind it, else the next one. */
  lateThought(index: number | undefined): number;
  /** The place of a text that ends at `end`; what follows a text directly is the same text. */
  text(end: number): number;
  call(): number;
  /** The place of what is neither a thought, a text nor a call, e.g. an image. */
  other(): number;
  /** Ends the text at place `index`, which a signature follows: what comes next is another one. */
  sign(index: number): void;
  /** What a message with these texts and calls says of their order; nothing where it is the usual one. */
  mark<Called extends ToolCall>(calls: readonly Called[]): Marks<Called>;
}

/** The order of a message's texts and calls. */
export interface Marks<Called extends ToolCall> {
  text_blocks?: NonNullable<ChatMessage["text_blocks"]>;
  tool_calls?: Called[];
}

/** Counts the places of one message. */
export function placeList(): PlaceList {
  const kinds: PlaceKind[] = [];
  const texts: { index: number; end_index: number }[] = [];
  const calls: number[] = [];
  let next = 0;
  let isTextOpen = false;
  const add = (kind: PlaceKind): number => {
    kinds.push(kind);
    isTextOpen = kind === "text";
    return next++;
  };
  return {
    thought(index = next) {
      if (index < next) return index;
      next = index;
      return add("thought");
    },
    lateThought(index) {
      const last = texts.at(-1);
      if (last === undefined || last.index !== index || next !== index + 1) return add("thought");
      kinds.splice(-1, 0, "thought");
      last.index = next++;
      return index;
    },
    text(end) {
      if (!isTextOpen) texts.push({ index: add("text"), end_index: end });
      const last = texts.at(-1) as { index: number; end_index: number };
      last.end_index = end;
      return last.index;
    },
    call() {
      const place = add("call");
      calls.push(place);
      return place;
    },
    other() {
      isTextOpen = false;
      return next++;
    },
    sign(index) {
      isTextOpen = false;
      next = Math.max(next, index + 1);
    },
    mark: (toolCalls) => marksOf(kinds, { texts, calls, toolCalls }),
  };
}

interface Marked<Called> {
  readonly texts: NonNullable<ChatMessage["text_blocks"]>;
  /** The places of the calls. */
  readonly calls: readonly number[];
  readonly toolCalls: readonly Called[];
}

function marksOf<Called extends ToolCall>(
  kinds: readonly PlaceKind[],
  { texts, calls, toolCalls }: Marked<Called>,
): Marks<Called> {
  const isUsual = isUsualOrder(kinds, 1);
  const positioned = isUsual ? toolCalls : toolCalls.map((call, at) => ({ ...call, index: calls[at] ?? at }));
  return {
    ...(isUsual || texts.length === 0 ? {} : { text_blocks: texts }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: [...positioned] }),
  };
}
