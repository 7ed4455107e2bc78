import type { LogProbs } from "../../../engine/api/chat.ts";
import type { Annotation } from "../../../engine/api/message.ts";
import { inputOf } from "../../../engine/dialects/custom-tools.ts";
import type { Part, PartStep } from "../shared/parts.ts";
import { type Callables, restoreCall } from "./callable.ts";
import {
  citationsOf,
  contentPart,
  cutItem,
  type Item,
  isSummary,
  itemId,
  logProbsOf,
  newItem,
  type TextExtras,
  wholeItem,
} from "./items.ts";

/** Makes the frame of one event. */
export type Frame = (type: string, fields: object) => string;

/** Writes the items of one answer as events. */
export interface ItemWriter {
  write(step: PartStep): string;
  /** Log probabilities of the text that comes next. */
  addLogProbs(state: LogProbs): void;
  /** The answer was cut short in this part: what of it is not whole says so as it is closed. */
  cutIn(last: Part | undefined): void;
  /** The items so far, whole. */
  output(): Item[];
}

interface ItemWriterState {
  readonly responseId: string;
  readonly callables: Callables;
  readonly frame: Frame;
  readonly items: Item[];
  /** Of the text that is open, or was last. */
  extras: TextExtras;
  openText: Part | undefined;
  /** Where the answer was cut short. */
  cut: { readonly last: Part | undefined } | undefined;
  /** Log probabilities that wait for the next text. */
  logprobs: object[];
}

/** A writer of one answer's items. */
export function itemWriter(responseId: string, callables: Callables, frame: Frame): ItemWriter {
  const state: ItemWriterState = {
    responseId,
    callables,
    frame,
    items: [],
    extras: { annotations: [], logprobs: [] },
    openText: undefined,
    cut: undefined,
    logprobs: [],
  };
  return {
    write: (step) => writeStep(state, step),
    addLogProbs: (logProbs) => void state.logprobs.push(...logProbsOf(logProbs)),
    cutIn(last) {
      state.cut = { last };
    },
    output: () => state.items,
  };
}

function writeStep(state: ItemWriterState, step: PartStep): string {
  switch (step.kind) {
    case "open":
      return openItem(state, step.part);
    case "grow":
      return growItem(state, step.part, step.delta);
    case "close":
      return closeItem(state, step.part);
    case "cite":
      return cite(state, step.annotations);
  }
}

/** The fields of every event about a part's item. */
function whereOf({ responseId }: ItemWriterState, part: Part) {
  return { item_id: itemId(part, responseId), output_index: part.at };
}

function openItem(state: ItemWriterState, part: Part): string {
  const { frame, responseId, callables } = state;
  const item = restoreCall(newItem(part, responseId), callables);
  const added = frame("response.output_item.added", { output_index: part.at, item });
  if (part.kind === "thought" || part.kind === "call") return added;
  state.extras = { annotations: [], logprobs: [] };
  if (part.kind === "text") state.openText = part;
  const empty = contentPart(part, "", { annotations: [], logprobs: [] });
  return added + frame("response.content_part.added", { ...whereOf(state, part), content_index: 0, part: empty });
}

function growItem(state: ItemWriterState, part: Part, delta: string): string {
  const where = whereOf(state, part);
  switch (part.kind) {
    case "call":
      if (part.isCustom) return state.frame("response.custom_tool_call_input.delta", { ...where, delta });
      if (!isFunction(state, part)) return ""; // its input is known once the arguments are complete
      return state.frame("response.function_call_arguments.delta", { ...where, delta });
    case "refusal":
      return state.frame("response.refusal.delta", { ...where, content_index: 0, delta });
    case "text": {
      const logprobs = state.logprobs.splice(0);
      state.extras.logprobs.push(...logprobs);
      return state.frame("response.output_text.delta", { ...where, content_index: 0, delta, logprobs });
    }
    case "thought":
      return growThought(state, part, delta);
  }
}

/** The part of a thought is opened with its first text: many thoughts have none. */
function growThought(state: ItemWriterState, part: Part, delta: string): string {
  const { frame } = state;
  const where = { ...whereOf(state, part), ...thoughtPosition(part) };
  const isFirst = part.text.length === delta.length;
  const content = { type: isSummary(part) ? "summary_text" : "reasoning_text", text: "" };
  const added = isSummary(part) ? "response.reasoning_summary_part.added" : "response.content_part.added";
  const event = isSummary(part) ? "response.reasoning_summary_text.delta" : "response.reasoning_text.delta";
  return (isFirst ? frame(added, { ...where, part: content }) : "") + frame(event, { ...where, delta });
}

function thoughtPosition(part: Part): object {
  return isSummary(part) ? { summary_index: 0 } : { content_index: 0 };
}

function closeItem(state: ItemWriterState, part: Part): string {
  const { frame, responseId, callables, extras, items, cut } = state;
  const whole = restoreCall(wholeItem(part, responseId, extras), callables);
  const item = cut ? cutItem(whole, part, cut.last) : whole;
  items.push(item);
  if (state.openText === part) state.openText = undefined;
  return closeParts(state, part) + frame("response.output_item.done", { output_index: part.at, item });
}

function closeParts(state: ItemWriterState, part: Part): string {
  const { frame, extras } = state;
  const where = whereOf(state, part);
  const { text } = part;
  if (part.kind === "call") return closeCall(state, part);
  if (part.kind === "thought") return closeThought(state, part);
  const field = { ...where, content_index: 0 };
  const done =
    part.kind === "refusal"
      ? frame("response.refusal.done", { ...field, refusal: text })
      : frame("response.output_text.done", { ...field, text, logprobs: extras.logprobs });
  return done + frame("response.content_part.done", { ...field, part: contentPart(part, text, extras) });
}

/** True for the call of a function; a name that no tool has counts as one. */
function isFunction({ callables }: ItemWriterState, { name }: Part): boolean {
  return (callables.get(name)?.kind ?? "function") === "function";
}

function closeCall(state: ItemWriterState, part: Part): string {
  const { frame, callables } = state;
  const { name, text } = part;
  const where = whereOf(state, part);
  if (part.isCustom) return frame("response.custom_tool_call_input.done", { ...where, input: text });
  const { kind = "function", tool } = callables.get(name) ?? {};
  if (kind === "function")
    return frame("response.function_call_arguments.done", { ...where, name: tool?.name ?? name, arguments: text });
  if (kind !== "custom") return ""; // its item says it all
  const input = inputOf(text);
  const delta = frame("response.custom_tool_call_input.delta", { ...where, delta: input });
  return delta + frame("response.custom_tool_call_input.done", { ...where, input });
}

function closeThought(state: ItemWriterState, part: Part): string {
  const { frame } = state;
  const { text } = part;
  if (text === "") return "";
  const where = { ...whereOf(state, part), ...thoughtPosition(part) };
  if (isSummary(part)) {
    const content = { type: "summary_text", text };
    return (
      frame("response.reasoning_summary_text.done", { ...where, text }) +
      frame("response.reasoning_summary_part.done", { ...where, part: content })
    );
  }
  const contentParts = { type: "reasoning_text", text };
  return (
    frame("response.reasoning_text.done", { ...where, text }) +
    frame("response.content_part.done", { ...where, part: contentParts })
  );
}

/** Sources of a text; those that come when it is over are in the whole answer only. */
function cite(state: ItemWriterState, annotations: readonly Annotation[]): string {
  const { openText, extras, frame } = state;
  return citationsOf(annotations)
    .map((annotation) => {
      const annotation_index = extras.annotations.push(annotation) - 1;
      if (openText === undefined) return "";
      const field = { ...whereOf(state, openText), content_index: 0, annotation_index };
      return frame("response.output_text.annotation.added", { ...field, annotation });
    })
    .join("");
}
