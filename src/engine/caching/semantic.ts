import type { ChatRequest } from "../api/chat.ts";
import type { ChatMessage } from "../api/message.ts";
import { decisiveFields, digest } from "./fingerprint.ts";
import { guardSignature } from "./guard.ts";

/** Turns of the user beyond which a conversation is too particular to be like another one (inference-resolved.md, section 8). */
const mostTurns = 3;

/** A conversation as it is compared with others. */
export interface ComparableChat {
  /** What is embedded: the turns of user and assistant, each with its role. */
  readonly text: string;
  /** Whether `text` is the last turn alone: the others are too long to be compared, and are equal. */
  readonly isLastTurn: boolean;
  /** Names all that must be equal, the embedding model included; only chats of the same space are compared. */
  readonly space: string;
}

/** What a chat is compared under. */
export interface Comparison {
  /** `provider/model` that is to answer. */
  readonly target: string;
  /** The model that embeds: vectors of different models have nothing to do with each other. */
  readonly embed: string;
  /** Characters that the embedding model reads for certain; texts that are longer are not compared. */
  readonly mostCharacters?: number | undefined;
}

/** Characters that an embedding model reads where nothing is known of it: 256 tokens. */
const fewestCharacters = 1_024;

/**
 * A chat as it is compared, or `undefined` when only the very same one may match: more than three turns, attachments, tools that were
 * called, or anything else than text in it. Model and parameters must be equal, the instructions of system and developer word by word;
 * so must numbers and negations, as {@link guardSignature} has them. Of a conversation that is longer than what the embedding model reads,
 * the last turn is compared, and all before it must be equal; a last turn that is too long is compared with none.
 */
export function comparableChat(
  request: ChatRequest,
  { target, embed, mostCharacters = fewestCharacters }: Comparison,
): ComparableChat | undefined {
  const instructions: string[] = [];
  const turns: string[] = [];
  const roles: string[] = [];
  for (const message of request.messages) {
    const text = plainText(message);
    if (text === undefined) return undefined;
    const isInstruction = message.role === "system" || message.role === "developer";
    if (isInstruction) instructions.push(text);
    else turns.push(`${message.role}: ${text}`);
    roles.push(message.role);
  }
  const requested = roles.filter((role) => role === "user").length;
  if (requested === 0 || requested > mostTurns) return undefined;
  const whole = turns.join("\n");
  const isLastTurn = whole.length > mostCharacters;
  const text = isLastTurn ? (turns.at(-1) as string) : whole;
  if (text.length > mostCharacters) return undefined;
  const equal = isLastTurn ? turns.slice(0, -1) : [];
  const fields = decisiveFields(request, ["messages"]);
  const space = digest(["chat", target, embed, fields, roles, instructions, equal, turns.map(guardSignature)]);
  return space === undefined ? undefined : { text, isLastTurn, space };
}

/** The text of a message that is nothing but text. */
function plainText({ role, content, ...rest }: ChatMessage): string | undefined {
  if (role === "tool" || Object.values(rest).some((value) => value !== undefined && value !== null)) return undefined;
  if (typeof content === "string") return content;
  if (!content) return undefined;
  const texts: string[] = [];
  for (const part of content) {
    if (part.type !== "text") return undefined;
    texts.push(part.text);
  }
  return texts.join("\n");
}
