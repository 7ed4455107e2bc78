import type { ChatChunk, ChatRequest } from "../../../src/engine/api/chat.ts";

/** How a vendor continues an unfinished last message: by `prefix: true` on it. */
export interface PrefillDialect {
  /** Behind the base URL, where it has an address of its own (DeepSeek's "Chat Prefix Completion" is a beta); `/chat/completions` unless given. */
  readonly path?: string;
  /** The answer may begin with the unfinished text again, as in Mistral's own examples: it is taken off where it does. */
  readonly repeats?: boolean;
}

/** The request with its last message marked as unfinished. */
export function withPrefix(request: ChatRequest): ChatRequest {
  const last = request.messages.at(-1);
  if (last?.role !== "assistant") return request;
  return { ...request, messages: [...request.messages.slice(0, -1), { ...last, prefix: true }] };
}

/** The text that is to be gone on from. */
export function sentBefore({ messages }: ChatRequest): string {
  const last = messages.at(-1);
  return last?.role === "assistant" && typeof last.content === "string" ? last.content : "";
}

/** The chunks of an answer without `prefill` where its text begins with it; otherwise the chunks are unchanged. */
export async function* withoutRepeated(chunks: AsyncIterable<ChatChunk>, prefill: string): AsyncGenerator<ChatChunk> {
  let held: ChatChunk[] = [];
  let text = "";
  let isDecided = prefill === "";
  for await (const chunk of chunks) {
    text += isDecided ? "" : textOf(chunk);
    if (!isDecided && text.length < prefill.length && prefill.startsWith(text) && !isLast(chunk)) {
      held.push(chunk);
      continue;
    }
    if (isDecided) yield chunk;
    else if (text.startsWith(prefill)) {
      for (const each of held) yield withText(each, "");
      yield withText(chunk, text.slice(prefill.length));
    } else yield* [...held, chunk];
    held = [];
    isDecided = true;
  }
  yield* held;
}

function textOf({ choices }: ChatChunk): string {
  return choices[0]?.delta.content ?? "";
}

function isLast({ choices }: ChatChunk): boolean {
  return choices.some(({ finish_reason }) => finish_reason !== null);
}

function withText(chunk: ChatChunk, content: string): ChatChunk {
  const [first, ...others] = chunk.choices;
  if (!first?.delta.content) return chunk;
  return { ...chunk, choices: [{ ...first, delta: { ...first.delta, content } }, ...others] };
}
