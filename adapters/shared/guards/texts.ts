import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ChatMessage, ContentPart } from "../../../src/engine/api/message.ts";
import type {
  MiddlewareRequest,
  MiddlewareVerb,
  ToolCallQuestion,
} from "../../../src/engine/ports/middleware/middleware.ts";
import { jsonTexts, withTexts } from "../../../src/engine/runtime/json/json-texts.ts";

/** Gives the text to send in place of one. */
export type MapText = (text: string) => string;

/**
 * A request with the texts that a model reads mapped: messages, thoughts, arguments and results of tools, descriptions of tools, what is
 * embedded, ranked or decided about. The request itself where none of them changes.
 */
export function mapRequest<Request extends MiddlewareRequest>(
  verb: MiddlewareVerb,
  request: Request,
  map: MapText,
): Request {
  if (verb === "chat") return mapChat(request as ChatRequest, map) as Request; // by the verb
  if (verb === "tool") return mapToolCall(request as ToolCallQuestion, map) as Request;
  const names = { embed: ["input"], rerank: ["query", "documents"], decide: ["state", "input", "instructions"] }[verb];
  return mapMembers(request, names, map);
}

/** The texts of a request, in order. */
export function requestTexts(verb: MiddlewareVerb, request: MiddlewareRequest): string[] {
  const texts: string[] = [];
  mapRequest(verb, request, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** The texts of an answer: all strings of its choices, results or answers. */
export function answerTexts(answer: object): string[] {
  const { choices, results, answers, content, structuredContent } = answer as Readonly<Record<string, unknown>>;
  if (Array.isArray(content)) return jsonTextsOf({ content, structuredContent });
  const texts: string[] = [];
  mapDeep(choices ?? results ?? answers, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** The texts of a tool's answer, names among them. */
function jsonTextsOf(value: object): string[] {
  const json = JSON.stringify(value, (name, member) => (mediaMembers.has(name) ? undefined : member));
  return (jsonTexts(json) ?? []).map(({ text }) => text);
}

const mediaMembers: ReadonlySet<string> = new Set(["data", "blob", "mimeType"]);

/** The arguments of a tool, with the names in them and their numbers. */
function mapToolCall(request: ToolCallQuestion, map: MapText): ToolCallQuestion {
  const json = JSON.stringify(request.arguments);
  const mapped = mapJson(json, map);
  return mapped === json ? request : { ...request, arguments: JSON.parse(mapped) };
}

function mapMembers<Fields extends object>(fields: Fields, names: readonly string[], map: MapText): Fields {
  let changed: Record<string, unknown> | undefined;
  for (const name of names) {
    const value = (fields as Record<string, unknown>)[name];
    const mapped = mapDeep(value, map);
    if (mapped !== value) changed = { ...(changed ?? fields), [name]: mapped };
  }
  return (changed as Fields | undefined) ?? fields;
}

/** Members that hold no text: names of the format, and media. */
const formal: ReadonlySet<string> = new Set([
  ...["type", "id", "index", "role", "tool_call_id", "format", "signature", "data", "file_data", "file_id"],
  ...["finish_reason", "native_finish_reason", "kind"],
]);

/** The same value where nothing in it changes. */
function mapDeep(value: unknown, map: MapText): unknown {
  if (typeof value === "string") return value === "" || value.startsWith("data:") ? value : map(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const mapped = value.map((item) => mapDeep(item, map));
    return mapped.some((item, at) => item !== value[at]) ? mapped : value;
  }
  const names = Object.keys(value).filter((name) => !formal.has(name));
  return mapMembers(value, names, map);
}

function mapChat(request: ChatRequest, map: MapText): ChatRequest {
  const messages = request.messages.map((message) => mapMessage(message, map));
  const isSame = messages.every((message, at) => message === request.messages[at]);
  return mapMembers(isSame ? request : { ...request, messages }, ["tools", "prediction"], map);
}

const spoken = ["content", "reasoning", "reasoning_details", "refusal"];

function mapMessage(message: ChatMessage, map: MapText): ChatMessage {
  const own = mapMembers(message, spoken, map);
  const { tool_calls: calls } = own;
  if (!calls) return own;
  const mapped = calls.map((call) => {
    const { function: called } = call;
    const json = called?.arguments;
    const next = json === undefined ? undefined : mapJson(json, map);
    return next === json ? mapMembers(call, ["custom"], map) : { ...call, function: { ...called, arguments: next } };
  });
  return mapped.every((call, at) => call === calls[at]) ? own : { ...own, tool_calls: mapped };
}

function mapJson(json: string, map: MapText): string {
  const texts = jsonTexts(json);
  if (!texts) return map(json);
  return withTexts(
    json,
    texts,
    texts.map(({ text }) => (text === "" ? text : map(text))),
  );
}

/** What a message says, its parts joined. */
export function contentText(content: string | readonly ContentPart[] | null | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
}
