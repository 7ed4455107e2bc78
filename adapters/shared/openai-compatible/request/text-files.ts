import type { ChatMessage, ContentPart } from "../../../../src/engine/api/message.ts";
import { isTextual, mediaTypeOf, readInlineFile, readText } from "../../../../src/engine/dialects/content.ts";

/**
 * The conversation with its textual files as texts, the name of each in front: OpenAI's chat reads no file but PDF, and most others of its
 * dialect read none. A message without such a file is passed on as it is.
 */
export function withTextFiles(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!messages.some(holdsFile)) return messages;
  return messages.map((message) =>
    holdsFile(message) ? { ...message, content: message.content.map(fileAsText) } : message,
  );
}

function holdsFile(message: ChatMessage): message is ChatMessage & { content: ContentPart[] } {
  return Array.isArray(message.content) && message.content.some(({ type }) => type === "file");
}

function fileAsText(part: ContentPart): ContentPart {
  if (part.type !== "file" || part.file.file_data === undefined) return part;
  const { file_data: data, filename } = part.file;
  const named = mediaTypeOf(filename);
  const inline = readInlineFile(data, named !== undefined && isTextual(named) ? named : "application/pdf");
  const text = inline === undefined ? undefined : readText(inline);
  if (text === undefined) return part;
  const { file: _file, ...rest } = part;
  return { ...rest, type: "text", text: filename === undefined ? text : `${filename}\n${text}` };
}
