import type { AnsweredMessage, FunctionToolCall, ReasoningDetail } from "../../../src/engine/api/message.ts";
import { readCitation } from "../../../src/engine/dialects/cohere/citations.ts";
import { thoughtDetail } from "../../../src/engine/dialects/cohere/reasoning.ts";
import { placeList } from "../../../src/engine/dialects/order.ts";
import { optionalText, textOf } from "../../../src/engine/dialects/wire-values.ts";
import { statedArguments } from "../../shared/chat/call-arguments.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { functionName } from "../../shared/chat/function-name.ts";
import type { CohereWireMessage } from "./wire.ts";

/** A message in our form: the plan is the first of its texts. */
export function readMessage(wire: CohereWireMessage, { call }: Translation): AnsweredMessage {
  const blocks = new Map<number, number>();
  const places = placeList();
  const details: ReasoningDetail[] = [];
  let text = "";
  const addText = (piece: string): void => {
    text += piece;
    if (piece !== "") places.text(text.length);
  };
  const content = wire.content ?? [];
  const firstText = content.findIndex(({ type }) => type !== "thinking");
  for (const [at, block] of content.entries()) {
    if (at === firstText) addText(textOf(wire.tool_plan));
    blocks.set(at, text.length);
    const thought = textOf(block.thinking);
    if (block.type !== "thinking") addText(textOf(block.text));
    else if (thought !== "") details.push(thoughtDetail(places.thought(), thought));
  }
  if (firstText < 0) addText(textOf(wire.tool_plan));
  const annotations = (wire.citations ?? []).flatMap((citation) => readCitation(citation, { blocks }) ?? []);
  const calls = (wire.tool_calls ?? []).map((raw, at): FunctionToolCall => {
    places.call();
    const called = {
      name: functionName(raw.function?.name),
      arguments: statedArguments(textOf(raw.function?.arguments)),
    };
    return { id: optionalText(raw.id) ?? callId(call.id, at), type: "function", function: called };
  });
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(details.length === 0
      ? {}
      : { reasoning: details.map((detail) => detail.text).join(""), reasoning_details: details }),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...places.mark(calls),
  };
}

/** The id of a call that comes without one; the same for whole and streamed answers. */
export function callId(id: string, index: number): string {
  return `call_${id}_0_${index}`;
}
