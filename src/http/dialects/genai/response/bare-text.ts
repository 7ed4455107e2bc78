import type { ChatChunk, ChatResponse } from "../../../../engine/api/chat.ts";
import { parseJson } from "../../../../engine/dialects/wire-values.ts";

/** The answer to a request for `text/x.enum`: the value itself, where the model has written it as JSON. */
export function bareAnswer(answer: ChatResponse): ChatResponse {
  const choices = answer.choices.map((choice) => {
    const { content } = choice.message;
    return typeof content === "string" ? { ...choice, message: { ...choice.message, content: bare(content) } } : choice;
  });
  return { ...answer, choices };
}

/** The same of a stream: a function that gives each chunk its content; the value comes with the finish reason, once it is whole. */
export function bareChunks(): (chunk: ChatChunk) => ChatChunk {
  const texts = new Map<number, string>();
  return (chunk) => ({
    ...chunk,
    choices: chunk.choices.map((choice) => {
      const text = (texts.get(choice.index) ?? "") + (choice.delta.content ?? "");
      texts.set(choice.index, text);
      const content = choice.finish_reason === null || text === "" ? undefined : bare(text);
      return { ...choice, delta: { ...choice.delta, content } };
    }),
  });
}

function bare(text: string): string {
  const value = text.trimStart().startsWith('"') ? parseJson(text) : undefined;
  return typeof value === "string" ? value : text;
}
