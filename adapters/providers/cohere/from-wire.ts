import type { ChatResponse } from "../../../src/api/chat.ts";
import type { ChatMessage, ToolCall } from "../../../src/api/message.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { withoutNullsWithin } from "../../shared/chat/nulls.ts";
import { asideOf, reading, textOf } from "../../shared/chat/odd.ts";
import { isRecord } from "../../shared/http/fault.ts";
import { annotationOf, failures, finishReasonOf, thoughtDetail } from "./blocks.ts";
import { toLogProbs, toUsage } from "./usage.ts";
import type { WireAnswer, WireMessage } from "./wire.ts";

/** What reading knows of its target, and whom it asks for the error that a reason is. */
export interface ReadingContext extends Translation {
  fault(reason: string, message?: string): GatewayError;
}

/** The answer of `POST /v2/chat`; throws `upstream_invalid_response` when it is none. */
export const fromWire = reading(readWhole);

function readWhole(body: unknown, context: ReadingContext): ChatResponse {
  const told = withoutNullsWithin(body);
  if (!isRecord(told) || !isRecord(told.message)) {
    throw new GatewayError("upstream_invalid_response", `The answer of ${context.provider} holds no message.`);
  }
  const answer: WireAnswer = told;
  const { finish_reason: reason, message = {} } = answer;
  if (reason !== undefined && failures.has(reason)) throw context.fault(reason);
  const usage = toUsage(answer.usage);
  const logProbs = toLogProbs(answer.logprobs);
  const { id, model, startedAt } = context.call;
  return {
    id: asideOf(answer.id) ?? id,
    object: "chat.completion",
    created: Math.floor(startedAt / 1000),
    model,
    choices: [
      {
        index: 0,
        finish_reason: finishReasonOf(reason, context),
        message: readMessage(message, context),
        ...(logProbs === undefined ? {} : { log_probs: logProbs }),
      },
    ],
    ...(usage === undefined ? {} : { usage }),
  };
}

/** A message in our words: the plan is text that was said before the calls. */
function readMessage(wire: WireMessage, { call }: Translation): ChatMessage {
  const blocks = new Map<number, number>();
  const thoughts: string[] = [];
  let text = textOf(wire.tool_plan);
  for (const [at, block] of (wire.content ?? []).entries()) {
    blocks.set(at, text.length);
    if (block.type === "thinking") thoughts.push(textOf(block.thinking));
    else text += textOf(block.text);
  }
  const details = thoughts.filter((thought) => thought !== "").map((thought, at) => thoughtDetail(at, thought));
  const annotations = (wire.citations ?? []).flatMap((citation) => annotationOf(citation, { blocks }) ?? []);
  const calls = (wire.tool_calls ?? []).map((told, at): ToolCall => {
    const called = { name: textOf(told.function?.name), arguments: textOf(told.function?.arguments) };
    return { id: asideOf(told.id) ?? callId(call.id, at), type: "function", function: called };
  });
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(details.length === 0 ? {} : { reasoning: thoughts.join(""), reasoning_details: details }),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** The identifier of a call that the vendor gave none; the same for whole and streamed answers. */
export function callId(id: string, index: number): string {
  return `call_${id}_0_${index}`;
}
