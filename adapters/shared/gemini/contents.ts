import type { ChatMessage } from "../../../src/engine/api/message.ts";
import { invalidRequest, unsupported } from "../../../src/engine/dialects/refusals.ts";
import { parseArguments } from "../../../src/engine/runtime/json/exact-json.ts";
import { opener, type Translation, warnOfMessage } from "../chat/fields.ts";
import { type MediaContext, textParts, writePart } from "./media.ts";
import { writeModelTurn } from "./model-turn.ts";
import type { GeminiTraits } from "./traits.ts";
import type { WireContent, WirePart } from "./wire.ts";

/** A conversation in the vendor's form: the system prompt apart from the contents. */
export interface GeminiConversation {
  readonly systemInstruction: WireContent | undefined;
  readonly contents: readonly WireContent[];
}

interface GeminiConversationContext extends Translation {
  readonly traits: GeminiTraits;
  readonly filesUrl: string;
}

/** Writes messages as contents; results of tools that follow each other are one turn, as the calls were. */
export function writeContents(
  messages: readonly ChatMessage[],
  context: GeminiConversationContext,
): GeminiConversation {
  const system: WirePart[] = [];
  const contents: { role: "user" | "model"; parts: WirePart[] }[] = [];
  const names = new Map<string, string>();
  let isResults = false;
  for (const [at, message] of messages.entries()) {
    const position = { ...context, path: `messages.${at}` };
    warnOfMessage(message, position, ["images", "is_error"]);
    if (message.role === "system" || message.role === "developer") {
      if (contents.length > 0)
        context.call.warn(
          `\`${position.path}\` is moved to the system instruction: ${context.provider} has no other place for it`,
        );
      system.push(...writeSystem(message, position));
      continue;
    }
    const parts = message.role === "tool" ? writeResult(message, names, position) : writeTurn(message, names, position);
    const last = contents.at(-1);
    if (message.role === "tool" && isResults && last) last.parts.push(...parts);
    else if (message.role === "assistant" && last?.role === "model")
      last.parts.push(...parts); // turns of the model that follow each other are one: a call is refused behind another of them
    else if (parts.length > 0) contents.push({ role: message.role === "assistant" ? "model" : "user", parts });
    isResults = message.role === "tool";
  }
  if (contents[0]?.role !== "user") contents.unshift({ role: "user", parts: [{ text: opener(context) }] });
  return { systemInstruction: system.length === 0 ? undefined : { parts: system }, contents };
}

function writeSystem({ content }: ChatMessage, context: MediaContext): WirePart[] {
  if (typeof content === "string") return textParts(content);
  return (content ?? []).flatMap((part, at) => {
    const path = `${context.path}.content.${at}`;
    if (part.type === "text" || part.type === "refusal") return writePart(part, { ...context, path });
    throw unsupported(path, `of type ${part.type} cannot be sent to ${context.provider} in this role.`);
  });
}

function writeTurn(
  message: ChatMessage,
  names: Map<string, string>,
  context: MediaContext & { traits: GeminiTraits },
): WirePart[] {
  if (message.role !== "assistant") return writeContent(message.content, context);
  for (const { id, function: called } of message.tool_calls ?? []) if (id && called?.name) names.set(id, called.name);
  return writeModelTurn(message, context);
}

function writeContent(content: ChatMessage["content"], context: MediaContext): WirePart[] {
  if (typeof content === "string") return textParts(content);
  return (content ?? []).flatMap((part, at) => writePart(part, { ...context, path: `${context.path}.content.${at}` }));
}

/**
 * A result names its function, which only the call says. A text that is a JSON object is the response itself, any other is its `output`,
 * or its `error` where the tool failed. Files follow it as parts, or are inside it from Gemini 3 on.
 */
function writeResult(
  message: ChatMessage,
  names: Map<string, string>,
  context: MediaContext & { traits: GeminiTraits },
): WirePart[] {
  const { tool_call_id: id, name: provided } = message;
  if (!id) throw invalidRequest(`${context.path}.tool_call_id`, "is missing.");
  const name = names.get(id) ?? provided;
  if (name === undefined) throw invalidRequest(`${context.path}.tool_call_id`, "names no earlier tool call.");
  const parts = writeContent(message.content, context);
  const output = parts.map(({ text }) => text ?? "").join("");
  const files = parts.filter(({ text }) => text === undefined);
  const functionResponse = { id, name, response: responseOf(output, message.is_error === true) };
  if (files.length === 0) return [{ functionResponse }];
  return context.traits.isThird
    ? [{ functionResponse: { ...functionResponse, parts: files } }]
    : [{ functionResponse }, ...files];
}

function responseOf(output: string, hasFailed: boolean): Record<string, unknown> {
  if (hasFailed) return { error: output };
  const stated = output.trimStart().startsWith("{") ? parseArguments(output) : undefined;
  return stated ?? { output };
}
