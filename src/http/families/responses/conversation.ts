import type { ChatMessage, ContentPart, ReasoningDetail, ToolCall } from "../../../api/message.ts";
import { GatewayError } from "../../../errors.ts";
import { type Conversation, contentOf, tell } from "../shared/content.ts";
import { unpackDetail } from "../shared/envelope.ts";
import { type Notes, refuseField, warnUnkept } from "../shared/notes.ts";
import type { ResponseItem, ResponsePart, ResponseRequest } from "./schema.ts";

/** What the model said since the last item that was not its own. */
interface Turn {
  readonly path: string;
  readonly parts: ContentPart[];
  readonly details: ReasoningDetail[];
  readonly calls: ToolCall[];
  thought: string;
}

interface Progress extends Conversation {
  readonly notes: Notes;
  turn: Turn | undefined;
}

/** The conversation in our words, the instructions first; items of the model that follow each other are one message. */
export function readConversation({ input, instructions }: ResponseRequest, notes: Notes): ChatMessage[] {
  const progress: Progress = { messages: [], origins: notes.origins, notes, turn: undefined };
  if (instructions) tell(progress, { role: "system", content: instructions }, "instructions");
  if (typeof input === "string") tell(progress, { role: "user", content: input }, "input");
  else for (const [at, item] of input.entries()) readItem(progress, item, `input.${at}`);
  closeTurn(progress);
  return progress.messages;
}

function readItem(progress: Progress, item: ResponseItem, path: string): void {
  switch (item.type) {
    case undefined:
    case "message":
      readMessage(progress, item, path);
      break;
    case "function_call":
      turnOf(progress, path).calls.push(callOf(item));
      break;
    case "reasoning":
      readReasoning(turnOf(progress, path), item);
      break;
    case "function_call_output":
      readResult(progress, item, path);
      break;
    case "item_reference":
      throw unstored(path);
    default:
      warnUnkept(progress.notes, path);
  }
}

function readResult(progress: Progress, { call_id, output }: ItemOf<"function_call_output">, path: string): void {
  closeTurn(progress);
  tell(progress, { role: "tool", tool_call_id: call_id, content: readContent(output, `${path}.output`) }, path);
}

/** The error of a field that refers to what earlier requests left behind. */
export function unstored(param: string): GatewayError {
  const message = `\`${param}\` refers to something stored, and nothing is stored here: send the conversation as \`input\`.`;
  return new GatewayError("unsupported_operation", message, { param });
}

function turnOf(progress: Progress, path: string): Turn {
  progress.turn ??= { path, parts: [], details: [], calls: [], thought: "" };
  return progress.turn;
}

function closeTurn(progress: Progress): void {
  const { turn } = progress;
  if (turn === undefined) return;
  progress.turn = undefined;
  const { parts, details, calls, thought } = turn;
  const message: ChatMessage = {
    role: "assistant",
    content: parts.length === 0 ? null : contentOf(parts),
    ...(thought === "" ? {} : { reasoning: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  tell(progress, message, turn.path);
}

type ItemOf<Type> = Extract<ResponseItem, { type: Type }>;
type MessageItem = Extract<ResponseItem, { content: unknown; role: unknown }>;

function callOf({ call_id: id, name, arguments: text }: ItemOf<"function_call">): ToolCall {
  return { id, type: "function", function: { name, arguments: text } };
}

function readMessage(progress: Progress, { role, content }: MessageItem, path: string): void {
  if (role === "assistant") {
    const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : readParts(content, path);
    turnOf(progress, path).parts.push(...parts.filter((part) => part.type !== "text" || part.text !== ""));
    return;
  }
  closeTurn(progress);
  tell(progress, { role, content: readContent(content, `${path}.content`) }, path);
}

function readContent(content: string | readonly ResponsePart[], path: string): string | ContentPart[] {
  return typeof content === "string" ? content : contentOf(readParts(content, path));
}

function readParts(parts: readonly ResponsePart[], path: string): ContentPart[] {
  return parts.map((part, at) => readPart(part, `${path}.${at}`));
}

function readPart(part: ResponsePart, path: string): ContentPart {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return { type: "text", text: part.text };
    case "refusal":
      return { type: "refusal", refusal: part.refusal };
    case "input_audio":
      return { type: "input_audio", input_audio: part.input_audio };
    case "input_image":
      return readImage(part, path);
    case "input_file":
      return readFile(part);
  }
}

type PartOf<Type> = Extract<ResponsePart, { type: Type }>;

function readImage({ image_url: url, file_id, detail }: PartOf<"input_image">, path: string): ContentPart {
  if (url) return { type: "image_url", image_url: { url, ...(detail ? { detail } : {}) } };
  if (!file_id) throw refuseField(path, "needs an `image_url` or a `file_id`.");
  return { type: "file", file: { file_id, filename: "image.png" } };
}

function readFile({ file_data, file_id, file_url, filename }: PartOf<"input_file">): ContentPart {
  const given = Object.entries({ file_data, file_id, file_url, filename }).filter(([, value]) => value);
  return { type: "file", file: Object.fromEntries(given) };
}

/** Text that nobody vouches for is only text; what does is in `encrypted_content`, ours or the vendor's own. */
function readReasoning(turn: Turn, { id, summary, content, encrypted_content: sealed }: ItemOf<"reasoning">): void {
  const said = [...(summary ?? []), ...(content ?? [])].map(({ text }) => text).join("");
  turn.thought += said;
  if (!sealed) return;
  const foreign = {
    type: "reasoning.encrypted" as const,
    format: "openai-responses-v1",
    ...(id ? { id } : {}),
    data: sealed,
  };
  turn.details.push(unpackDetail(sealed, said) ?? foreign);
}
