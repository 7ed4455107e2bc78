import type { AnsweredMessage, ReasoningDetail } from "../../../src/engine/api/message.ts";
import { type PlaceList, placeList } from "../../../src/engine/dialects/order.ts";
import { isRecord, textOf } from "../../../src/engine/dialects/wire-values.ts";
import { annotationOf, callOf, detailOf, isCall, thoughtOf } from "./output.ts";

/** The items of a response as one message. */
export function messageOf(items: readonly Record<string, unknown>[]): AnsweredMessage {
  const parts = partsOf(items);
  const texts = parts.filter(({ type }) => type === "output_text").map(({ text }) => textOf(text));
  const refusal = parts.filter(({ type }) => type === "refusal").map((part) => textOf(part.refusal));
  const thoughts = items.filter(({ type }) => type === "reasoning");
  const thought = thoughts
    .map(thoughtOf)
    .filter((text) => text !== "")
    .join("\n\n");
  const { places, details } = orderOf(items);
  const annotations = parts.flatMap(({ annotations: list }) => (Array.isArray(list) ? list.flatMap(annotationOf) : []));
  const calls = items.filter(isCall).map(callOf);
  return {
    role: "assistant",
    content: texts.length === 0 ? null : texts.join(""),
    ...(refusal.length === 0 ? {} : { refusal: refusal.join("") }),
    ...(thought === "" ? {} : { reasoning: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...places.mark(calls),
  };
}

/** The thoughts of the items, and the places of thoughts, texts and calls; the vendor's own tools have none. */
function orderOf(items: readonly Record<string, unknown>[]): { places: PlaceList; details: ReasoningDetail[] } {
  const places = placeList();
  const details: ReasoningDetail[] = [];
  let length = 0;
  for (const item of items) {
    if (item.type === "reasoning") details.push(detailOf(item, places.thought()));
    else if (isCall(item)) places.call();
    for (const { type, text } of partsOf([item])) {
      if (type !== "output_text" || textOf(text) === "") continue;
      length += textOf(text).length;
      places.text(length);
    }
  }
  return { places, details };
}

/** The parts of all messages among the items. */
export function partsOf(items: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return items.flatMap(({ type, content }) =>
    type === "message" && Array.isArray(content) ? content.filter(isRecord) : [],
  );
}
