import type { Annotation, ChatMessage, Delta, ReasoningDetail, ToolCall } from "../../../engine/api/message.ts";
import { customCallOf } from "../../../engine/dialects/custom-tools.ts";
import { inOrder, isTied, type Positioned, textsOf } from "../../../engine/dialects/order.ts";
import { isWholeObject } from "./arguments.ts";

/** What an answer consists of. */
export type PartKind = "thought" | "text" | "refusal" | "call";

/** A stretch of one kind in an answer, while it grows and when it is whole. */
export interface Part {
  readonly kind: PartKind;
  /** Its place among the parts of the answer. */
  readonly at: number;
  /** Thoughts, text, refusal; of a call the arguments. */
  text: string;
  /** Of a call. */
  id: string;
  name: string;
  /** Of the call of a custom tool: `text` is its input, of any form. */
  readonly isCustom?: boolean | undefined;
  /** Of a thought: all that is known of it but its text. */
  detail: ReasoningDetail | undefined;
}

/** One step of telling an answer part by part; a part is closed before the next one opens. */
export type PartStep =
  | { readonly kind: "open" | "close"; readonly part: Part }
  | { readonly kind: "grow"; readonly part: Part; readonly delta: string }
  /** Sources of the text written last. */
  | { readonly kind: "cite"; readonly annotations: readonly Annotation[] };

/** Puts the deltas of one choice in the order that dialects without interleaving need. */
export interface PartReader {
  read(delta: Delta): PartStep[];
  /** The answer is complete: closes the open part and returns the steps of the parts that waited. */
  end(): PartStep[];
}

/** A piece of one part. */
interface PartFragment {
  readonly kind: PartKind;
  readonly key: string;
  readonly text: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly isCustom?: boolean | undefined;
  readonly detail?: ReasoningDetail | undefined;
}

/** A part that is not closed yet. */
interface OpenPart extends Part {
  readonly key: string;
}

interface PartReaderState {
  parts: number;
  live: OpenPart | undefined;
  /** Parts that came while a call was still growing, in the order of their coming. */
  readonly waiting: OpenPart[];
  /** Calls that were closed: their arguments are whole, what still comes of them is white space. */
  readonly closed: Set<string>;
  readonly steps: PartStep[];
}

/**
 * A reader of one choice. Thoughts and texts end where something else begins. A call ends where something else begins and its
 * arguments are a whole object; until then what comes after it waits, so that calls whose pieces are interleaved stay whole.
 */
export function partReader(): PartReader {
  const progress: PartReaderState = { parts: 0, live: undefined, waiting: [], closed: new Set(), steps: [] };
  const take = (): PartStep[] => progress.steps.splice(0);
  return {
    read(delta) {
      for (const fragment of fragmentsOf(delta)) add(progress, fragment);
      if (delta.annotations?.length) progress.steps.push({ kind: "cite", annotations: delta.annotations });
      return take();
    },
    end() {
      close(progress);
      while (progress.waiting.length > 0) {
        promote(progress);
        close(progress);
      }
      return take();
    },
  };
}

/** The parts of a whole message, thoughts at the places that their `index` names and the others around them in order. */
export function partsOf(message: ChatMessage): Part[] {
  const calls = (message.tool_calls ?? []).map((call, at) => ({ index: call.index, block: callFragment(call, at) }));
  const thoughts = thoughtsOf(message).map((detail) => {
    return { index: detail.index ?? 0, block: thoughtFragment(detail), isTied: isTied(detail) };
  });
  return inOrder({ thoughts, texts: textParts(message), calls }).map((fragment, at) => partOf(at, fragment));
}

/** Texts that have no places are one. */
function textParts(message: ChatMessage): Positioned<PartFragment>[] {
  const { refusal } = message;
  const texts = textsOf(message).map(({ index, block: part }) => ({
    index,
    text: part.type === "text" ? part.text : "",
  }));
  const isPositioned = texts.every(({ index }) => index !== undefined);
  const joined = isPositioned ? texts : [{ index: undefined, text: texts.map(({ text }) => text).join("") }];
  return [
    ...joined
      .filter(({ text }) => text !== "")
      .map(({ index, text }) => ({ index, block: { kind: "text" as const, key: "text", text } })),
    ...(refusal
      ? [{ index: Number.MAX_SAFE_INTEGER, block: { kind: "refusal" as const, key: "refusal", text: refusal } }]
      : []),
  ];
}

/** The thoughts of a delta or a message: its details, with its plain text where they hold none. */
function thoughtsOf(content: Pick<Delta, "reasoning" | "reasoning_details">): ReasoningDetail[] {
  const { reasoning, reasoning_details: details = [] } = content;
  if (!reasoning || details.some(({ text, summary }) => text || summary)) return [...details];
  return [{ type: "reasoning.text", text: reasoning }, ...details];
}

function fragmentsOf(delta: Delta): PartFragment[] {
  const fragments = thoughtsOf(delta).map(thoughtFragment);
  if (delta.content) fragments.push({ kind: "text", key: "text", text: delta.content });
  if (delta.refusal) fragments.push({ kind: "refusal", key: "refusal", text: delta.refusal });
  for (const call of delta.tool_calls ?? []) fragments.push(callFragment(call, call.index ?? 0));
  return fragments;
}

function thoughtFragment({ text, summary, ...detail }: ReasoningDetail): PartFragment {
  return { kind: "thought", key: `thought ${detail.index ?? 0} ${detail.type}`, text: text || summary || "", detail };
}

function callFragment(call: ToolCall, index: number): PartFragment {
  const { id, function: called } = call;
  const custom = customCallOf(call);
  if (custom) return { kind: "call", key: `call ${index}`, text: custom.input, id, name: custom.name, isCustom: true };
  return { kind: "call", key: `call ${index}`, text: called?.arguments ?? "", id, name: called?.name };
}

function add(progress: PartReaderState, fragment: PartFragment): void {
  const { live, waiting } = progress;
  if (live?.key === fragment.key) {
    absorb(live, fragment);
    grow(progress, live, fragment.text);
    if (waiting.length > 0) advance(progress);
    return;
  }
  const known = waiting.findLast((part) => part.key === fragment.key);
  if (known !== undefined) {
    absorb(known, fragment);
    known.text += fragment.text;
    advance(progress);
    return;
  }
  if (progress.closed.has(fragment.key)) return;
  waiting.push(partOf(progress.parts++, fragment));
  advance(progress);
}

function partOf(at: number, { kind, key, text, id = "", name = "", detail, isCustom }: PartFragment): OpenPart {
  return { kind, key, at, text, id, name, detail, isCustom };
}

/** Adds the id, name and detail of a later fragment to a part. */
function absorb(part: OpenPart, { id, name, detail }: PartFragment): void {
  if (id) part.id = id;
  if (name) part.name = name;
  if (detail === undefined) return;
  const { data: known = "" } = part.detail ?? {};
  part.detail = { ...part.detail, ...detail, ...(detail.data ? { data: known + detail.data } : {}) };
}

/** Opens waiting parts once the live one is finished. A call also waits for its name, which its opening step contains. */
function advance(progress: PartReaderState): void {
  while (isFinished(progress.live) && isReady(progress.waiting[0])) {
    close(progress);
    promote(progress);
  }
}

function isReady(next: OpenPart | undefined): boolean {
  return next !== undefined && (next.kind !== "call" || next.name !== "");
}

function isFinished(live: OpenPart | undefined): boolean {
  return live?.kind !== "call" || live.isCustom === true || isWholeObject(live.text);
}

function promote(progress: PartReaderState): void {
  const next = progress.waiting.shift();
  if (next === undefined) return;
  progress.live = next;
  progress.steps.push({ kind: "open", part: next });
  if (next.text !== "") progress.steps.push({ kind: "grow", part: next, delta: next.text });
}

function grow({ steps }: PartReaderState, part: OpenPart, delta: string): void {
  part.text += delta;
  if (delta !== "") steps.push({ kind: "grow", part, delta });
}

function close(progress: PartReaderState): void {
  const { live, closed, steps } = progress;
  if (live === undefined) return;
  steps.push({ kind: "close", part: live });
  if (live.kind === "call") closed.add(live.key);
  progress.live = undefined;
}
