import type { ChatResponse } from "../../../engine/api/chat.ts";
import type { ReasoningDetail } from "../../../engine/api/message.ts";
import { writeCitations } from "../../../engine/dialects/cohere/citations.ts";
import { writeFinishReason } from "../../../engine/dialects/cohere/finish-reasons.ts";
import { writeLogProbs } from "../../../engine/dialects/cohere/log-probs.ts";
import { writeUsage } from "../../../engine/dialects/cohere/usage.ts";
import { finishReasonOf } from "../../../engine/dialects/finish-reason.ts";
import { isBare, packDetail } from "../shared/envelope.ts";
import { type Part, partsOf } from "../shared/parts.ts";
import { type Notes, warnUnsupportedFields } from "../shared/translation-warnings.ts";
import type { CohereChatResponse } from "./schema.ts";

/** The whole answer; the vendor has one choice only. */
export function writeAnswer(answer: ChatResponse, notes: Notes): CohereChatResponse {
  const [choice] = answer.choices;
  const message = choice?.message ?? { role: "assistant" };
  for (const field of ["audio", "images"])
    if (message[field]) warnUnsupportedFields(notes, field, "of the answer has no counterpart here");
  const parts = partsOf(message);
  const content = parts.flatMap(writeContent);
  const calls = parts.filter(({ kind }) => kind === "call").map(writeCall);
  const text = parts.find(({ kind }) => kind === "text")?.text ?? "";
  const citations = writeCitations(message.annotations ?? [], text);
  return {
    id: answer.id,
    finish_reason: writeFinishReason(finishReasonOf(choice?.finish_reason, calls.length > 0)),
    message: {
      role: "assistant",
      ...(content.length === 0 ? {} : { content }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(citations.length === 0 ? {} : { citations }),
    },
    ...(answer.usage === undefined ? {} : { usage: writeUsage(answer.usage) }),
    ...(choice?.log_probs?.content ? { logprobs: writeLogProbs(choice.log_probs.content) } : {}),
  };
}

function writeContent(part: Part): object[] {
  if (part.kind === "call") return [];
  if (part.kind !== "thought") return [{ type: "text", text: part.text }];
  const signature = signatureOf(part.detail);
  return [{ type: "thinking", thinking: part.text, ...(signature === undefined ? {} : { signature }) }];
}

/** The packed detail of a thought that must come back with its text; the vendor has no field for it, so the field is ours. */
export function signatureOf(detail: ReasoningDetail | undefined): string | undefined {
  return detail === undefined || isBare(detail) ? undefined : packDetail(detail);
}

function writeCall({ id, name, text }: Part): object {
  return { id, type: "function", function: { name, arguments: text } };
}
