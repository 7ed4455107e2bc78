import type { LogProbs } from "../../../api/chat.ts";
import type { Annotation } from "../../../api/message.ts";
import type { Part, PartStep } from "../shared/parts.ts";
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
  addLogProbs(told: LogProbs): void;
  /** The answer was cut short in this part: what of it is not whole says so as it is closed. */
  cutIn(last: Part | undefined): void;
  /** The items so far, whole. */
  output(): Item[];
}

interface Told {
  readonly responseId: string;
  readonly frame: Frame;
  readonly items: Item[];
  /** Of the text that is open, or was last. */
  extras: TextExtras;
  openText: Part | undefined;
  /** Where the answer was cut short. */
  cut: { readonly last: Part | undefined } | undefined;
  /** Log probabilities that no text was told with yet. */
  logprobs: object[];
}

/** A writer of one answer's items. */
export function itemWriter(responseId: string, frame: Frame): ItemWriter {
  const told: Told = {
    responseId,
    frame,
    items: [],
    extras: { annotations: [], logprobs: [] },
    openText: undefined,
    cut: undefined,
    logprobs: [],
  };
  return {
    write: (step) => writeStep(told, step),
    addLogProbs: (logProbs) => void told.logprobs.push(...logProbsOf(logProbs)),
    cutIn(last) {
      told.cut = { last };
    },
    output: () => told.items,
  };
}

function writeStep(told: Told, step: PartStep): string {
  switch (step.kind) {
    case "open":
      return openItem(told, step.part);
    case "grow":
      return growItem(told, step.part, step.delta);
    case "close":
      return closeItem(told, step.part);
    case "cite":
      return cite(told, step.annotations);
  }
}

/** What every event about a part's item says of it. */
function whereOf({ responseId }: Told, part: Part) {
  return { item_id: itemId(part, responseId), output_index: part.at };
}

function openItem(told: Told, part: Part): string {
  const { frame, responseId } = told;
  const added = frame("response.output_item.added", { output_index: part.at, item: newItem(part, responseId) });
  if (part.kind === "thought" || part.kind === "call") return added;
  told.extras = { annotations: [], logprobs: [] };
  if (part.kind === "text") told.openText = part;
  const empty = contentPart(part, "", { annotations: [], logprobs: [] });
  return added + frame("response.content_part.added", { ...whereOf(told, part), content_index: 0, part: empty });
}

function growItem(told: Told, part: Part, delta: string): string {
  const where = whereOf(told, part);
  switch (part.kind) {
    case "call":
      return told.frame("response.function_call_arguments.delta", { ...where, delta });
    case "refusal":
      return told.frame("response.refusal.delta", { ...where, content_index: 0, delta });
    case "text": {
      const logprobs = told.logprobs.splice(0);
      told.extras.logprobs.push(...logprobs);
      return told.frame("response.output_text.delta", { ...where, content_index: 0, delta, logprobs });
    }
    case "thought":
      return growThought(told, part, delta);
  }
}

/** The part of a thought is told when its first text comes: many have none. */
function growThought(told: Told, part: Part, delta: string): string {
  const { frame } = told;
  const where = { ...whereOf(told, part), ...thoughtPlace(part) };
  const isFirst = part.text.length === delta.length;
  const said = { type: isSummary(part) ? "summary_text" : "reasoning_text", text: "" };
  const added = isSummary(part) ? "response.reasoning_summary_part.added" : "response.content_part.added";
  const grown = isSummary(part) ? "response.reasoning_summary_text.delta" : "response.reasoning_text.delta";
  return (isFirst ? frame(added, { ...where, part: said }) : "") + frame(grown, { ...where, delta });
}

function thoughtPlace(part: Part): object {
  return isSummary(part) ? { summary_index: 0 } : { content_index: 0 };
}

function closeItem(told: Told, part: Part): string {
  const { frame, responseId, extras, items, cut } = told;
  const whole = wholeItem(part, responseId, extras);
  const item = cut ? cutItem(whole, part, cut.last) : whole;
  items.push(item);
  if (told.openText === part) told.openText = undefined;
  return closeParts(told, part) + frame("response.output_item.done", { output_index: part.at, item });
}

function closeParts(told: Told, part: Part): string {
  const { frame, extras } = told;
  const where = whereOf(told, part);
  const { text } = part;
  if (part.kind === "call")
    return frame("response.function_call_arguments.done", { ...where, name: part.name, arguments: text });
  if (part.kind === "thought") return closeThought(told, part);
  const place = { ...where, content_index: 0 };
  const done =
    part.kind === "refusal"
      ? frame("response.refusal.done", { ...place, refusal: text })
      : frame("response.output_text.done", { ...place, text, logprobs: extras.logprobs });
  return done + frame("response.content_part.done", { ...place, part: contentPart(part, text, extras) });
}

function closeThought(told: Told, part: Part): string {
  const { frame } = told;
  const { text } = part;
  if (text === "") return "";
  const where = { ...whereOf(told, part), ...thoughtPlace(part) };
  if (isSummary(part)) {
    const said = { type: "summary_text", text };
    return (
      frame("response.reasoning_summary_text.done", { ...where, text }) +
      frame("response.reasoning_summary_part.done", { ...where, part: said })
    );
  }
  const said = { type: "reasoning_text", text };
  return (
    frame("response.reasoning_text.done", { ...where, text }) +
    frame("response.content_part.done", { ...where, part: said })
  );
}

/** Sources of a text; those that come when it is over are in the whole answer only. */
function cite(told: Told, annotations: readonly Annotation[]): string {
  const { openText, extras, frame } = told;
  return citationsOf(annotations)
    .map((annotation) => {
      const annotation_index = extras.annotations.push(annotation) - 1;
      if (openText === undefined) return "";
      const place = { ...whereOf(told, openText), content_index: 0, annotation_index };
      return frame("response.output_text.annotation.added", { ...place, annotation });
    })
    .join("");
}
