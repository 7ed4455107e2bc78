import type { ChatMessage, ToolCall } from "../../../src/api/message.ts";
import { readCitation } from "../../../src/dialects/cohere/citations.ts";
import { thoughtDetail } from "../../../src/dialects/cohere/reasoning.ts";
import { optionalText, textOf } from "../../../src/dialects/wire-values.ts";
import { statedArguments } from "../../shared/chat/call-arguments.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import type { CohereWireMessage } from "./wire.ts";

/** A message in our form: the plan is the text before the calls. */
export function readMessage(wire: CohereWireMessage, { call }: Translation): ChatMessage {
  const blocks = new Map<number, number>();
  const thoughts: string[] = [];
  let text = textOf(wire.tool_plan);
  for (const [at, block] of (wire.content ?? []).entries()) {
    blocks.set(at, text.length);
    if (block.type === "thinking") thoughts.push(textOf(block.thinking));
    else text += textOf(block.text);
  }
  const details = thoughts.filter((thought) => thought !== "").map((thought, at) => thoughtDetail(at, thought));
  const annotations = (wire.citations ?? []).flatMap((citation) => readCitation(citation, { blocks }) ?? []);
  const calls = (wire.tool_calls ?? []).map((raw, at): ToolCall => {
    const called = { name: textOf(raw.function?.name), arguments: statedArguments(textOf(raw.function?.arguments)) };
    return { id: optionalText(raw.id) ?? callId(call.id, at), type: "function", function: called };
  });
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(details.length === 0 ? {} : { reasoning: thoughts.join(""), reasoning_details: details }),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** The id of a call that comes without one; the same for whole and streamed answers. */
export function callId(id: string, index: number): string {
  return `call_${id}_0_${index}`;
}
