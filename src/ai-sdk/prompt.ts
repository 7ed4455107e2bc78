import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatMessage, ContentPart } from "../engine/api/message.ts";
import { toFile } from "./media.ts";

type PromptContent<Role> = Extract<LanguageModelV4Message, { role: Role }>["content"];
type WarnOfPrompt = (what: string) => void;

/** Our messages as a prompt of the AI SDK. Results of tools are named by the calls that they answer. */
export function toPrompt(messages: readonly ChatMessage[], warn: WarnOfPrompt): LanguageModelV4Prompt {
  const names = new Map(
    messages.flatMap(({ tool_calls }) =>
      (tool_calls ?? []).map((call) => [call.id, call.function?.name ?? ""] as const),
    ),
  );
  return messages.map((message): LanguageModelV4Message => {
    const { role, content } = message;
    if (role === "user") return { role, content: partsOf(content).flatMap((part) => toUserPart(part, warn)) };
    if (role === "assistant") return { role, content: toAssistant(message, warn) };
    if (role !== "tool") return { role: "system", content: textOf(content) };
    const toolName = names.get(message.tool_call_id) ?? "";
    const output = { type: "text" as const, value: textOf(content) };
    return { role, content: [{ type: "tool-result", toolCallId: message.tool_call_id ?? "", toolName, output }] };
  });
}

function partsOf(content: ChatMessage["content"]): readonly ContentPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return content ?? [];
}

function textOf(content: ChatMessage["content"]): string {
  return partsOf(content)
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("");
}

function toUserPart(part: ContentPart, warn: WarnOfPrompt): PromptContent<"user"> {
  if (part.type === "text") return [{ type: "text", text: part.text }];
  const file = toFile(part);
  if (file) return [{ type: "file", ...file } as PromptContent<"user">[number]];
  warn(`parts of the type \`${part.type}\``);
  return [];
}

function toAssistant({ content, reasoning, reasoning_details: details, tool_calls }: ChatMessage, warn: WarnOfPrompt) {
  const parts: PromptContent<"assistant"> = [];
  if (reasoning || details?.length) {
    const retained = details?.length ? { providerOptions: metadataOf(details) } : {};
    parts.push({ type: "reasoning", text: reasoning ?? "", ...retained });
  }
  for (const part of partsOf(content)) parts.push(...toUserPart(part, warn));
  for (const { id = "", function: called } of tool_calls ?? []) {
    parts.push({ type: "tool-call", toolCallId: id, toolName: called?.name ?? "", input: toInput(called?.arguments) });
  }
  return parts;
}

/** The model's own metadata, which {@link fromReasoning} has put into `data`. */
function metadataOf(details: NonNullable<ChatMessage["reasoning_details"]>): Record<string, never> {
  const [retained] = details.filter(({ data }) => data?.startsWith(marker));
  return retained?.data === undefined ? {} : JSON.parse(retained.data.slice(marker.length));
}

/** What metadata of the AI SDK begins with in `reasoning_details`. */
export const marker = "ai-sdk:";

/** Arguments that are no JSON, as of a call that was cut short, stay text. */
function toInput(text: string | undefined): unknown {
  if (!text) return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
