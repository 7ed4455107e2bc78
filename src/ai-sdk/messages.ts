import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import type { ChatMessage, ContentPart, ReasoningDetail, ToolCall } from "../engine/api/message.ts";
import { toPart } from "./media.ts";

/** Notes a part that our messages have no form of. */
type WarnOfPart = (feature: string) => void;

/** A prompt of the AI SDK as our messages; each tool result becomes a message of its own. */
export function toMessages(prompt: LanguageModelV4Prompt, warn: WarnOfPart): ChatMessage[] {
  return prompt.flatMap((message): ChatMessage[] => {
    if (message.role === "system") return [{ role: "system", content: message.content, ...cacheMark(message) }];
    if (message.role === "user") return [{ role: "user", content: message.content.map(toContent) }];
    if (message.role === "assistant") return [toAssistant(message.content, warn)];
    return message.content.flatMap((part) =>
      part.type === "tool-result" ? [toToolMessage(part)] : drop(part.type, warn),
    );
  });
}

type MessageContent<Role> = Extract<LanguageModelV4Message, { role: Role }>["content"];

function toContent(part: MessageContent<"user">[number]): ContentPart {
  const content: ContentPart = part.type === "text" ? { type: "text", text: part.text } : toPart(part);
  return { ...content, ...cacheMark(part) };
}

/** Marks for prompt caches travel as `providerOptions.tollgate.cache_control`. */
function cacheMark({ providerOptions }: { readonly providerOptions?: Record<string, object> }): object {
  const own: { readonly cache_control?: unknown } = providerOptions?.tollgate ?? {};
  return own.cache_control === undefined ? {} : { cache_control: own.cache_control };
}

function toAssistant(parts: MessageContent<"assistant">, warn: WarnOfPart): ChatMessage {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const details: ReasoningDetail[] = [];
  const calls: ToolCall[] = [];
  for (const part of parts) {
    if (part.type === "text") texts.push(part.text);
    else if (part.type === "reasoning") {
      thoughts.push(part.text);
      details.push(...detailsOf(part.providerOptions));
    } else if (part.type === "tool-call") {
      const { toolCallId: id, toolName: name, input } = part;
      const text = typeof input === "string" ? input : JSON.stringify(input ?? {});
      calls.push({ id, type: "function", function: { name, arguments: text } });
    } else drop(part.type, warn);
  }
  return {
    role: "assistant",
    content: texts.length === 0 ? null : texts.join(""),
    ...(thoughts.length === 0 ? {} : { reasoning: thoughts.join("") }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** The blocks of an earlier answer, which went along in its metadata. */
function detailsOf(options: Record<string, object> | undefined): readonly ReasoningDetail[] {
  const own: { readonly reasoning_details?: unknown } = options?.tollgate ?? {};
  return Array.isArray(own.reasoning_details) ? own.reasoning_details : [];
}

function toToolMessage({ toolCallId, output }: LanguageModelV4ToolResultPart): ChatMessage {
  return { role: "tool", tool_call_id: toolCallId, content: toToolContent(output) };
}

function toToolContent(output: LanguageModelV4ToolResultPart["output"]): string | ContentPart[] {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "execution-denied":
      return output.reason ?? "The call was not allowed.";
    case "content":
      return output.value.flatMap((part): ContentPart[] => {
        if (part.type === "text") return [{ type: "text", text: part.text }];
        return part.type === "file" ? [toPart(part)] : [];
      });
  }
}

function drop(type: string, warn: WarnOfPart): never[] {
  warn(`prompt part ${type}`);
  return [];
}
