import type { ChatMessage, ContentPart } from "../../../src/engine/api/message.ts";
import { readDataUrl, readText } from "../../../src/engine/dialects/content.ts";
import { unsupported } from "../../../src/engine/dialects/refusals.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { type IndexedMessage, withTakenResults } from "../../shared/chat/tool-media.ts";

/** The conversation with the results of tools as the vendor takes them: texts, which files of text can be. */
export function withTextResults(messages: readonly ChatMessage[], { provider, call }: Translation): IndexedMessage[] {
  return withTakenResults(messages, { provider, takes: isText, warn: call.warn });
}

function isText(part: ContentPart): boolean {
  return part.type !== "image_url" && part.type !== "input_audio";
}

/** The vendor takes no files, but the text of one can be said. */
export function textOfFile(content: string | undefined, path: string, provider: string): string {
  const inline = content === undefined ? undefined : readDataUrl(content, "caller");
  const text = inline === undefined ? undefined : readText(inline);
  if (text !== undefined) return text;
  throw unsupported(path, `cannot be sent: ${provider} takes text and images, and files only as data URLs of text.`);
}
