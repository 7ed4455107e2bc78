import type { ChatChunk, ChatResponse, ChunkChoice, LogProbs } from "../../engine/api/chat.ts";
import { nameCachedTokens } from "../../engine/dialects/openai/usage.ts";

/** A message, or what a chunk brings of one. */
interface Reasoned {
  readonly reasoning?: unknown;
}

/** Names the reasoning as most clients read it, beside our name for it; the same object where there is none. */
export function nameReasoning<Message extends Reasoned>(message: Message): Message {
  const { reasoning } = message;
  return typeof reasoning === "string" ? { ...message, reasoning_content: reasoning } : message;
}

/** Log probabilities with every member that OpenAI's clients require; null where a vendor gives none. */
export function writeLogProbs(logProbs: LogProbs | null | undefined) {
  if (!logProbs) return null;
  const { content = null, refusal = null } = logProbs;
  return { ...logProbs, content: content?.map(writeToken) ?? null, refusal: refusal?.map(writeToken) ?? null };
}

function writeToken({ bytes = null, top_logprobs: others = [], ...token }: Token) {
  const top_logprobs = others.map((other) => ({ ...other, bytes: other.bytes ?? null }));
  return { ...token, bytes, top_logprobs };
}

type Token = NonNullable<LogProbs["content"]>[number];

/** A whole answer with the names and the members that OpenAI's clients require, beside ours. */
export function withOpenaiNames(answer: ChatResponse): ChatResponse {
  const { choices, usage } = answer;
  const named = choices.map((choice) => {
    const message = { ...nameReasoning(choice.message), refusal: choice.message.refusal ?? null };
    return { ...choice, logprobs: writeLogProbs(choice.log_probs), message };
  });
  return { ...answer, choices: named, ...(usage ? { usage: nameCachedTokens(usage) } : {}) };
}

/** The same of a chunk. */
export function chunkWithOpenaiNames(chunk: ChatChunk): ChatChunk {
  const { choices, usage } = chunk;
  const isNamed = choices.some(({ delta, log_probs }) => delta.reasoning !== undefined || log_probs);
  if (!isNamed && usage === undefined) return chunk;
  const named = isNamed ? choices.map(nameChoice) : choices;
  return { ...chunk, choices: named, ...(usage ? { usage: nameCachedTokens(usage) } : {}) };
}

function nameChoice(choice: ChunkChoice): ChunkChoice {
  const logprobs = choice.log_probs ? { logprobs: writeLogProbs(choice.log_probs) } : {};
  return { ...choice, ...logprobs, delta: nameReasoning(choice.delta) };
}
