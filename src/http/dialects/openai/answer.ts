import type { ChatChunk, ChatResponse, Choice, ChunkChoice } from "../../../engine/api/chat.ts";
import { writeFinishReason } from "../../../engine/dialects/openai/finish-reasons.ts";
import { writeUsage } from "../../../engine/dialects/openai/usage.ts";
import { GatewayError } from "../../../engine/errors.ts";
import { nameReasoning, writeLogProbs } from "../../response/openai-names.ts";
import type { OpenaiChunk, OpenaiCompletion } from "./schema.ts";

/** The whole answer under the vendor's names. Fields of ours that the vendor has none for stay, but for the gateway's own. */
export function writeCompletion({ extra_fields: _extra, usage, choices, ...rest }: ChatResponse): OpenaiCompletion {
  return {
    ...rest,
    object: "chat.completion",
    choices: choices.map(writeChoice),
    ...(usage === undefined ? {} : { usage: writeUsage(usage) }),
  };
}

function writeChoice({
  index,
  finish_reason: reason,
  log_probs: logprobs,
  message,
}: Choice): OpenaiCompletion["choices"][number] {
  const { content = null, refusal = null, tool_calls: calls } = message;
  const text =
    typeof content === "string" || content === null
      ? content
      : content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return {
    index,
    finish_reason: reasonOf(reason, Boolean(calls?.length)),
    logprobs: writeLogProbs(logprobs),
    message: { ...nameReasoning(message), role: "assistant", content: text, refusal },
  };
}

/** Writes the chunks of one stream under the vendor's names. */
export function chunkWriter(): (chunk: ChatChunk) => OpenaiChunk {
  const calling = new Set<number>();
  return ({ extra_fields: _extra, usage, choices, ...rest }) => ({
    ...rest,
    object: "chat.completion.chunk",
    choices: choices.map((choice) => writeChunkChoice(choice, calling)),
    ...(usage === undefined ? {} : { usage: writeUsage(usage) }),
  });
}

function writeChunkChoice(choice: ChunkChoice, calling: Set<number>): OpenaiChunk["choices"][number] {
  const { index, finish_reason: reason, log_probs: logprobs, delta } = choice;
  if (delta.tool_calls?.length) calling.add(index);
  const finish = reason === null ? null : reasonOf(reason, calling.has(index));
  return {
    index,
    finish_reason: finish,
    delta: nameReasoning(delta),
    ...(logprobs === undefined ? {} : { logprobs: writeLogProbs(logprobs) }),
  };
}

/** The vendor has no reason for an answer that ended by an error. */
function reasonOf(reason: string | null, hasCalls: boolean): string {
  const finish = writeFinishReason(reason, hasCalls);
  if (finish !== undefined) return finish;
  throw new GatewayError("upstream_invalid_response", "The model ended its answer with an error.");
}
