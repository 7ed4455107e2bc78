import type { ChatResponse, LogProbs } from "../../../api/chat.ts";
import type { ReasoningDetail } from "../../../api/message.ts";
import type { Usage } from "../../../api/usage.ts";
import { isBare, packDetail } from "../shared/envelope.ts";
import { type Finish, finishOf } from "../shared/finish.ts";
import { type Notes, warnUnkept } from "../shared/notes.ts";
import { type Part, partsOf } from "../shared/parts.ts";
import { writeCitations } from "./citations.ts";
import type { CohereChatResponse, CohereUsage } from "./schema.ts";

/** How answers end, in the vendor's words. It has none for what a filter held back: that is an error, since it is not complete. */
export const finishReasons: Readonly<Record<Finish, string>> = {
  stop: "COMPLETE",
  length: "MAX_TOKENS",
  tool_calls: "TOOL_CALL",
  content_filter: "ERROR",
  error: "ERROR",
};

/** The whole answer; the vendor has one choice only. */
export function writeAnswer(answer: ChatResponse, notes: Notes): CohereChatResponse {
  const [choice] = answer.choices;
  const message = choice?.message ?? { role: "assistant" };
  for (const field of ["audio", "images"])
    if (message[field]) warnUnkept(notes, field, "of the answer has no place here");
  const parts = partsOf(message);
  const content = parts.flatMap(writeContent);
  const calls = parts.filter(({ kind }) => kind === "call").map(writeCall);
  const text = parts.find(({ kind }) => kind === "text")?.text ?? "";
  const citations = writeCitations(message.annotations ?? [], text);
  return {
    id: answer.id,
    finish_reason: finishReasons[finishOf(choice?.finish_reason, calls.length > 0)],
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

/** What of a thought must come back beside its text; the vendor has no field for it, so it is one of our own. */
export function signatureOf(detail: ReasoningDetail | undefined): string | undefined {
  return detail === undefined || isBare(detail) ? undefined : packDetail(detail);
}

function writeCall({ id, name, text }: Part): object {
  return { id, type: "function", function: { name, arguments: text } };
}

/** The vendor's counts. */
export function writeUsage({ prompt_tokens, completion_tokens, prompt_tokens_details }: Usage): CohereUsage {
  const tokens = { input_tokens: prompt_tokens, output_tokens: completion_tokens };
  const cached = prompt_tokens_details?.cached_read_tokens;
  return { billed_units: tokens, tokens, ...(cached === undefined ? {} : { cached_tokens: cached }) };
}

function writeLogProbs(content: NonNullable<LogProbs["content"]>): object[] {
  return content.map(({ token, logprob }) => ({ text: token, token_ids: [], logprobs: [logprob] }));
}
