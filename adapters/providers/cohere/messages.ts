import type { ChatMessage, ContentPart, ToolCall } from "../../../src/engine/api/message.ts";
import { reasoningFormat } from "../../../src/engine/dialects/cohere/reasoning.ts";
import { readDataUrl, readText } from "../../../src/engine/dialects/content.ts";
import { inOrder, type Positioned, textsOf } from "../../../src/engine/dialects/order.ts";
import { invalidRequest, unsupported } from "../../../src/engine/dialects/refusals.ts";
import { parseArguments } from "../../../src/engine/runtime/json/exact-json.ts";
import { argumentsOf } from "../../shared/chat/call-arguments.ts";
import { failedTool, type Translation, warnOfMessage } from "../../shared/chat/fields.ts";
import { ownReasoning } from "../../shared/chat/reasoning.ts";
import { type IndexedMessage, withTakenResults } from "../../shared/chat/tool-media.ts";
import type { ImagePart, TextPart, ThinkingPart, WireCall, WireTurn } from "./wire.ts";

/** Where a message stands in the request, e.g. `messages.3`, for errors and warnings that name it. */
interface MessageContext extends Translation {
  readonly path: string;
}

/** Writes the conversation; nothing is left out but messages without anything in them. */
export function writeMessages(messages: readonly ChatMessage[], context: Translation): WireTurn[] {
  return withTextResults(messages, context).flatMap(({ message, at }) =>
    writeMessage(message, { ...context, path: `messages.${at}` }),
  );
}

function writeMessage(message: ChatMessage, context: MessageContext): WireTurn[] {
  const { role, content, tool_call_id } = message;
  warnOfMessage(message, context, ["is_error"]);
  switch (role) {
    case "system":
    case "developer":
      return [{ role: "system", content: compact(writeText(content, context)) }];
    case "user":
      return [{ role, content: compact(writeContent(content, context)) }];
    case "tool":
      if (!tool_call_id) throw invalidRequest(`${context.path}.tool_call_id`, "is missing.");
      return [{ role, tool_call_id, content: compact(writeResult(message, context)) }];
    case "assistant":
      return writeAssistant(message, context);
  }
}

/** The vendor has no word for a tool that failed: the text says it. */
function writeResult({ content, is_error }: ChatMessage, context: MessageContext): TextPart[] {
  return [...textPart(is_error ? failedTool : ""), ...writeText(content, context)];
}

/** A lone text as a string, as people write it. */
function compact<Part extends { type: string }>(
  parts: readonly (Part | TextPart)[],
): string | readonly (Part | TextPart)[] {
  const [only] = parts;
  if (only === undefined) return "";
  return parts.length === 1 && only.type === "text" ? (only as TextPart).text : parts;
}

/** The text of content that can only be text. */
function writeText(content: ChatMessage["content"], context: MessageContext): TextPart[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return textPart(content);
  return content.flatMap((part, at) => writeTextOf(part, at, context));
}

function writeTextOf(part: ContentPart, at: number, { path, provider, call }: MessageContext): TextPart[] {
  if (part.cache_control !== undefined) call.warn(`\`cache_control\` is not supported by ${provider}`);
  if (part.type === "text") return textPart(part.text);
  if (part.type === "refusal") return textPart(part.refusal);
  if (part.type === "file") return writeFile(part, { path: `${path}.content.${at}`, provider, call });
  throw unsupported(`${path}.content.${at}`, `of type ${part.type} cannot be sent to ${provider} in this role.`);
}

function textPart(text: string): TextPart[] {
  return text === "" ? [] : [{ type: "text", text }];
}

function writeContent(content: ChatMessage["content"], context: MessageContext): (TextPart | ImagePart)[] {
  if (!Array.isArray(content)) return writeText(content, context);
  return content.flatMap((part, at) => writePart(part, { ...context, path: `${context.path}.content.${at}` }));
}

function writeFile(
  { file: { file_data, filename } }: Extract<ContentPart, { type: "file" }>,
  { path, provider, call }: MessageContext,
): TextPart[] {
  if (filename !== undefined) call.warn(`\`${path}.file.filename\` is not supported by ${provider}`);
  return textPart(textOfFile(file_data, `${path}.file`, provider));
}

function writePart(part: ContentPart, { path, provider, call }: MessageContext): (TextPart | ImagePart)[] {
  if (part.cache_control !== undefined) call.warn(`\`cache_control\` is not supported by ${provider}`);
  switch (part.type) {
    case "text":
      return textPart(part.text);
    case "refusal":
      return textPart(part.refusal);
    case "image_url": {
      const { url, detail } = part.image_url;
      return [{ type: "image_url", image_url: { url, ...(detail === undefined ? {} : { detail }) } }];
    }
    case "file":
      return writeFile(part, { path, provider, call });
    case "input_audio":
      throw unsupported(path, `of type input_audio cannot be sent: ${provider} takes no audio.`);
  }
}

function writeAssistant(message: ChatMessage, context: MessageContext): WireTurn[] {
  if (message.audio) throw unsupported(`${context.path}.audio`, `cannot be sent: ${context.provider} takes no audio.`);
  const texts = writeTexts(message, context);
  const calls = (message.tool_calls ?? []).map((call, at) =>
    writeCall(call, { ...context, path: `${context.path}.tool_calls.${at}` }),
  );
  const thoughts = writeThoughts(message, context);
  if (calls.length === 0) {
    const content = inOrder<TextPart | ThinkingPart>({ thoughts, texts, calls: [] });
    return content.length === 0 ? [] : [{ role: "assistant", content: compact(content) }];
  }
  // What is said before calls is the vendor's plan for them.
  const plan = texts.map(({ block }) => block.text).join("");
  return [
    {
      role: "assistant",
      ...(thoughts.length === 0 ? {} : { content: thoughts.map(({ block }) => block) }),
      ...(plan === "" ? {} : { tool_plan: plan }),
      tool_calls: calls,
    },
  ];
}

/** The texts of an answer with their places, a refusal the last of them. */
function writeTexts(message: ChatMessage, context: MessageContext): Positioned<TextPart>[] {
  const { refusal } = message;
  const texts = textsOf(message).flatMap(({ index, block: part }, at): Positioned<TextPart>[] =>
    writeTextOf(part, at, context).map((block) => ({ index, block })),
  );
  const last = textPart(refusal ?? "").map((block) => ({ index: Number.MAX_SAFE_INTEGER, block }));
  return [...texts, ...last];
}

/** The vendor's own thoughts, which carry no signature. */
function writeThoughts(message: ChatMessage, context: MessageContext): Positioned<ThinkingPart>[] {
  return ownReasoning(message, reasoningFormat, context).flatMap((detail): Positioned<ThinkingPart>[] => {
    const { type, text, format, index } = detail;
    if (type === "reasoning.text" && format === reasoningFormat)
      return text ? [{ index, block: { type: "thinking", thinking: text } }] : [];
    context.call.warn(`\`${context.path}.reasoning_details\` of another vendor are not sent to ${context.provider}`);
    return [];
  });
}

function writeCall(call: ToolCall, context: MessageContext): WireCall {
  const { id, type, function: called } = call;
  const { path } = context;
  if (type !== undefined && type !== "function") {
    throw unsupported(path, `of type ${type} cannot be sent to this provider.`);
  }
  if (!id) throw invalidRequest(`${path}.id`, "is missing.");
  if (!called?.name) throw invalidRequest(`${path}.function.name`, "is missing.");
  const { name, arguments: text = "" } = called;
  const isObject = text.trimStart().startsWith("{") && parseArguments(text) !== undefined;
  return {
    id,
    type: "function",
    function: { name, arguments: isObject ? text : JSON.stringify(argumentsOf(call, context)) },
  };
}

/** The conversation with the results of tools as the vendor takes them: texts, which files of text can be. */
function withTextResults(messages: readonly ChatMessage[], { provider, call }: Translation): IndexedMessage[] {
  return withTakenResults(messages, { provider, takes: isText, warn: call.warn });
}

function isText(part: ContentPart): boolean {
  return part.type !== "image_url" && part.type !== "input_audio";
}

/** The vendor takes no files, but the text of one can be said. */
function textOfFile(content: string | undefined, path: string, provider: string): string {
  const inline = content === undefined ? undefined : readDataUrl(content, "caller");
  const text = inline === undefined ? undefined : readText(inline);
  if (text !== undefined) return text;
  throw unsupported(path, `cannot be sent: ${provider} takes text and images, and files only as data URLs of text.`);
}
