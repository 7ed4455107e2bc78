import type { ChatMessage, ContentPart, ToolCall } from "../../../engine/api/message.ts";
import { invalidRequest } from "../../../engine/dialects/refusals.ts";
import { GatewayError } from "../../../engine/errors.ts";
import { addMessage, contentOf, type MessageReading } from "../shared/content.ts";
import { unpackDetail } from "../shared/envelope.ts";
import { warnUnsupportedFields } from "../shared/translation-warnings.ts";
import { type AssistantContent, addCall, addDetail, addText, newTurn, turnMessage } from "../shared/turn.ts";
import { flatName, toolSearch } from "./callable.ts";
import { argumentsOf } from "./client-tools.ts";
import type { ResponseItem, ResponsePart, ResponseRequest } from "./schema.ts";
import type { ResponsesNotes } from "./tools.ts";

/** What the model said since the last item that was not its own. */
interface AssistantTurn {
  readonly path: string;
  /** The path of its first thought. */
  thoughtPath: string | undefined;
  readonly content: AssistantContent;
}

interface ConversationState extends MessageReading {
  readonly notes: ResponsesNotes;
  turn: AssistantTurn | undefined;
}

/** The conversation in our form, the instructions first; successive items of the model are one message. */
export function readConversation({ input, instructions }: ResponseRequest, notes: ResponsesNotes): ChatMessage[] {
  const progress: ConversationState = { messages: [], origins: notes.origins, notes, turn: undefined };
  if (instructions) addMessage(progress, { role: "system", content: instructions }, "instructions");
  if (typeof input === "string") addMessage(progress, { role: "user", content: input }, "input");
  else for (const [at, item] of input.entries()) readItem(progress, item, `input.${at}`);
  closeTurn(progress);
  return progress.messages;
}

function readItem(progress: ConversationState, item: ResponseItem, path: string): void {
  switch (item.type) {
    case undefined:
    case "message":
      readMessage(progress, item, path);
      break;
    case "function_call":
      addCall(turnOf(progress, path), callOf(item));
      break;
    case "custom_tool_call":
      addCall(turnOf(progress, path), customCallOf(item));
      break;
    case "tool_search_call":
      addCall(turnOf(progress, path), searchOf(item));
      break;
    case "local_shell_call":
    case "shell_call":
    case "apply_patch_call":
      addCall(turnOf(progress, path), clientCallOf(item));
      break;
    case "local_shell_call_output":
    case "shell_call_output":
    case "apply_patch_call_output":
    case "tool_search_output":
      readClientResult(progress, item, path);
      break;
    case "additional_tools":
      break; // listTools reads it
    case "reasoning":
      readReasoning(turnOf(progress, path), item);
      if (progress.turn) progress.turn.thoughtPath ??= path;
      break;
    case "function_call_output":
    case "custom_tool_call_output":
      readResult(progress, item, path);
      break;
    case "item_reference":
      progress.notes.refusal ??= unstored(path);
      break;
    default:
      warnUnsupportedFields(progress.notes, path);
  }
}

type ToolResult = Pick<ItemOf<"function_call_output">, "call_id" | "output">;

function readResult(progress: ConversationState, { call_id, output }: ToolResult, path: string): void {
  closeTurn(progress);
  addMessage(progress, { role: "tool", tool_call_id: call_id, content: readContent(output, `${path}.output`) }, path);
}

type ClientResult =
  | ItemOf<"local_shell_call_output">
  | ItemOf<"shell_call_output">
  | ItemOf<"apply_patch_call_output">
  | ItemOf<"tool_search_output">;

/** What a tool of the vendor's gave as one text; a patch that failed is a failed result. */
function readClientResult(progress: ConversationState, item: ClientResult, path: string): void {
  closeTurn(progress);
  const id = item.type === "tool_search_output" ? (item.call_id ?? toolSearch) : idOf(item);
  const failed = item.type === "apply_patch_call_output" && item.status === "failed" ? { is_error: true } : {};
  addMessage(progress, { role: "tool", tool_call_id: id, content: outputOf(item), ...failed }, path);
}

function outputOf(item: ClientResult): string {
  if (item.type === "tool_search_output") return JSON.stringify(item.tools ?? []);
  if (item.type === "apply_patch_call_output") return item.output ?? item.status ?? "";
  return typeof item.output === "string" ? item.output : JSON.stringify(item.output);
}

/** The error of a field that refers to what earlier requests left behind. */
export function unstored(param: string): GatewayError {
  const message = `\`${param}\` refers to something stored, and nothing is stored here: send the conversation as \`input\`.`;
  return new GatewayError("unsupported_operation", message, { param });
}

function turnOf(progress: ConversationState, path: string): AssistantContent {
  progress.turn ??= { path, thoughtPath: undefined, content: newTurn() };
  return progress.turn.content;
}

function closeTurn(progress: ConversationState): void {
  const { turn } = progress;
  if (turn === undefined) return;
  progress.turn = undefined;
  const { thoughtPath } = turn;
  const at = `messages.${progress.messages.length}`;
  if (thoughtPath) for (const field of thoughtFields) progress.origins.set(`${at}.${field}`, thoughtPath);
  addMessage(progress, turnMessage(turn.content), turn.path);
}

/** What the thoughts of a turn become. */
const thoughtFields = ["reasoning", "reasoning_details"] as const;

type ItemOf<Type> = Extract<ResponseItem, { type: Type }>;
type MessageItem = Extract<ResponseItem, { content: unknown; role: unknown }>;

type FunctionCall = Pick<ItemOf<"function_call">, "call_id" | "name" | "namespace" | "arguments">;

function callOf({ call_id: id, name, namespace, arguments: text }: FunctionCall): ToolCall {
  return { id, type: "function", function: { name: flatName(name, namespace), arguments: text } };
}

function customCallOf({ call_id: id, name, namespace, input }: ItemOf<"custom_tool_call">): ToolCall {
  return { id, type: "custom", custom: { name: flatName(name, namespace), input } };
}

type ClientCall = ItemOf<"local_shell_call"> | ItemOf<"shell_call"> | ItemOf<"apply_patch_call">;

function clientCallOf(item: ClientCall): ToolCall {
  const name = item.type.slice(0, -"_call".length);
  const fields = item.type === "apply_patch_call" ? item.operation : item.action;
  return callOf({ call_id: idOf(item), name, arguments: argumentsOf(fields) });
}

function idOf({ call_id: callId, id }: Pick<ClientCall, "call_id" | "id">): string {
  return callId ?? id ?? "";
}

function searchOf({ call_id, arguments: query }: ItemOf<"tool_search_call">): ToolCall {
  return callOf({ call_id: call_id ?? toolSearch, name: toolSearch, arguments: JSON.stringify(query ?? {}) });
}

function readMessage(progress: ConversationState, { role, content }: MessageItem, path: string): void {
  if (role === "assistant") {
    const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : readParts(content, path);
    const turn = turnOf(progress, path);
    if (typeof content !== "string") nameCitations(content, `${path}.content`, progress.notes);
    for (const part of parts) if (part.type !== "text" || part.text !== "") addText(turn, part);
    return;
  }
  closeTurn(progress);
  addMessage(progress, { role, content: readContent(content, `${path}.content`) }, path);
}

/** Citations of a past answer stay behind: a chat has no place for them in its history. */
function nameCitations(parts: readonly ResponsePart[], path: string, notes: ResponsesNotes): void {
  for (const [at, { annotations }] of parts.entries())
    if (Array.isArray(annotations) && annotations.length > 0)
      warnUnsupportedFields(notes, `${path}.${at}.annotations`, "are left out");
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

type ResponsePartOf<Type> = Extract<ResponsePart, { type: Type }>;

function readImage({ image_url: url, file_id, detail }: ResponsePartOf<"input_image">, path: string): ContentPart {
  if (url) return { type: "image_url", image_url: { url, ...(detail ? { detail } : {}) } };
  if (!file_id) throw invalidRequest(path, "needs an `image_url` or a `file_id`.");
  return { type: "file", file: { file_id, filename: "image.png" } };
}

function readFile({ file_data, file_id, file_url, filename }: ResponsePartOf<"input_file">): ContentPart {
  const provided = Object.entries({ file_data, file_id, file_url, filename }).filter(([, value]) => value);
  return { type: "file", file: Object.fromEntries(provided) };
}

/** A reasoning item: `encrypted_content`, ours or the vendor's own, proves its text; without it the text is text only. */
function readReasoning(
  turn: AssistantContent,
  { id, summary, content, encrypted_content: sealed }: ItemOf<"reasoning">,
): void {
  const contentParts = [...(summary ?? []), ...(content ?? [])].map(({ text }) => text).join("");
  turn.thought += contentParts;
  if (!sealed) return;
  const foreign = {
    type: "reasoning.encrypted" as const,
    format: "openai-responses-v1",
    ...(id ? { id } : {}),
    data: sealed,
  };
  addDetail(turn, unpackDetail(sealed, contentParts) ?? foreign);
}
