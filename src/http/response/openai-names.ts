import type { ChatChunk, ChatResponse } from "../../api/chat.ts";
import { nameCachedTokens } from "../../dialects/openai/usage.ts";

/** A message, or what a chunk brings of one. */
interface Reasoned {
  readonly reasoning?: unknown;
}

/** Names the reasoning as most clients read it, beside our name for it; the same object where there is none. */
export function nameReasoning<Message extends Reasoned>(message: Message): Message {
  const { reasoning } = message;
  return typeof reasoning === "string" ? { ...message, reasoning_content: reasoning } : message;
}

/** A whole answer with the names of OpenAI's clients beside ours; the same object where there is nothing to name. */
export function withOpenaiNames(answer: ChatResponse): ChatResponse {
  const { choices, usage } = answer;
  const counted = usage && nameCachedTokens(usage);
  const isReasoned = choices?.some(({ message }) => typeof message.reasoning === "string");
  if (!isReasoned && counted === usage) return answer;
  const named = choices.map((choice) => ({ ...choice, message: nameReasoning(choice.message) }));
  return { ...answer, choices: named, ...(counted ? { usage: counted } : {}) };
}

/** The same of a chunk. */
export function chunkWithOpenaiNames(chunk: ChatChunk): ChatChunk {
  const { choices, usage } = chunk;
  const isReasoned = choices.some(({ delta }) => delta.reasoning !== undefined);
  if (!isReasoned && usage === undefined) return chunk;
  const named = isReasoned ? choices.map((choice) => ({ ...choice, delta: nameReasoning(choice.delta) })) : choices;
  return { ...chunk, choices: named, ...(usage ? { usage: nameCachedTokens(usage) } : {}) };
}
