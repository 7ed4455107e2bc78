import type { ChatMessage } from "../../../src/api/message.ts";
import { invalidRequest, type Translation, unsupported, warnOfMessage } from "../chat/fields.ts";
import { type Place, textParts, writePart } from "./media.ts";
import { writeModelTurn } from "./model-turn.ts";
import type { ModelTraits } from "./traits.ts";
import type { WireContent, WirePart } from "./wire.ts";

/** A conversation as the vendor has it: what is system stands beside the contents. */
export interface Conversation {
  readonly systemInstruction: WireContent | undefined;
  readonly contents: readonly WireContent[];
}

interface ConversationContext extends Translation {
  readonly traits: ModelTraits;
  readonly filesUrl: string;
}

/** Writes messages as contents; results of tools that follow each other are one turn, as the calls were. */
export function writeContents(messages: readonly ChatMessage[], context: ConversationContext): Conversation {
  const system: WirePart[] = [];
  const contents: { role: "user" | "model"; parts: WirePart[] }[] = [];
  const names = new Map<string, string>();
  let isResults = false;
  for (const [at, message] of messages.entries()) {
    const place = { ...context, path: `messages.${at}` };
    warnOfMessage(message, place, ["images"]);
    if (message.role === "system" || message.role === "developer") {
      if (contents.length > 0)
        context.call.warn(
          `\`${place.path}\` is moved to the system instruction: ${context.provider} has no other place for it`,
        );
      system.push(...writeSystem(message, place));
      continue;
    }
    const parts = message.role === "tool" ? writeResult(message, names, place) : writeTurn(message, names, place);
    const last = contents.at(-1);
    if (message.role === "tool" && isResults && last) last.parts.push(...parts);
    else if (parts.length > 0) contents.push({ role: message.role === "assistant" ? "model" : "user", parts });
    isResults = message.role === "tool";
  }
  return { systemInstruction: system.length === 0 ? undefined : { parts: system }, contents };
}

function writeSystem({ content }: ChatMessage, place: Place): WirePart[] {
  if (typeof content === "string") return textParts(content);
  return (content ?? []).flatMap((part, at) => {
    const path = `${place.path}.content.${at}`;
    if (part.type === "text" || part.type === "refusal") return writePart(part, { ...place, path });
    throw unsupported(path, `of type ${part.type} cannot be sent to ${place.provider} in this role.`);
  });
}

function writeTurn(
  message: ChatMessage,
  names: Map<string, string>,
  place: Place & { traits: ModelTraits },
): WirePart[] {
  if (message.role !== "assistant") return writeContent(message.content, place);
  for (const { id, function: called } of message.tool_calls ?? []) if (id && called?.name) names.set(id, called.name);
  return writeModelTurn(message, place);
}

function writeContent(content: ChatMessage["content"], place: Place): WirePart[] {
  if (typeof content === "string") return textParts(content);
  return (content ?? []).flatMap((part, at) => writePart(part, { ...place, path: `${place.path}.content.${at}` }));
}

/** A result names its function, which only the call says; its text goes whole, as `output`. Files go beside it, or inside from 3 on. */
function writeResult(
  message: ChatMessage,
  names: Map<string, string>,
  place: Place & { traits: ModelTraits },
): WirePart[] {
  const { tool_call_id: id, name: given } = message;
  if (!id) throw invalidRequest(`${place.path}.tool_call_id`, "is missing.");
  const name = names.get(id) ?? given;
  if (name === undefined) throw invalidRequest(`${place.path}.tool_call_id`, "names no earlier tool call.");
  const parts = writeContent(message.content, place);
  const output = parts.map(({ text }) => text ?? "").join("");
  const files = parts.filter(({ text }) => text === undefined);
  const functionResponse = { id, name, response: { output } };
  if (files.length === 0) return [{ functionResponse }];
  return place.traits.isThird
    ? [{ functionResponse: { ...functionResponse, parts: files } }]
    : [{ functionResponse }, ...files];
}
