import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ChatMessage } from "../../../src/engine/api/message.ts";
import type { Tool } from "../../../src/engine/api/tools.ts";
import type { Encoder } from "./encodings.ts";

/** What the chat format adds, as OpenAI documents it (cookbook, "How to count tokens with tiktoken"). */
const perMessage = 3;
const perName = 1;
const perAnswer = 3;
const perFunction = 7;
const perProperties = 3;
const perProperty = 3;
const perEnum = -3;
const perEnumItem = 3;
const afterTools = 12;

/** Prompt tokens of a chat: the text of its messages and tools and what the format adds. Images, sound and files are left out. */
export function countChat(request: Pick<ChatRequest, "messages" | "tools">, encode: Encoder): number {
  const messages = request.messages.reduce((sum, message) => sum + countMessage(message, encode), perAnswer);
  const tools = request.tools?.length ? countTools(request.tools, encode) : 0;
  return messages + tools;
}

function countMessage(message: ChatMessage, encode: Encoder): number {
  const { role, content, name, refusal, tool_calls } = message;
  let count = perMessage + encode(role);
  if (name) count += perName + encode(name);
  if (refusal) count += encode(refusal);
  if (typeof content === "string") count += encode(content);
  else for (const part of content ?? []) if (part.type === "text") count += encode(part.text);
  for (const { function: called } of tool_calls ?? [])
    count += perMessage + encode(called?.name ?? "") + encode(called?.arguments ?? "");
  return count;
}

function countTools(tools: readonly Tool[], encode: Encoder): number {
  return tools.reduce((sum, tool) => sum + countTool(tool, encode), afterTools);
}

function countTool({ function: declared, custom }: Tool, encode: Encoder): number {
  if (!declared) return perFunction + encode(JSON.stringify(custom ?? {}));
  const { name, description = "", parameters } = declared;
  const head = perFunction + encode(`${name}:${description.replace(/\.$/, "")}`);
  const { type: _object, required: _names, properties: declaredProperties, ...rest } = parameters ?? {};
  const others = Object.keys(rest).length === 0 ? head : head + encode(JSON.stringify(rest));
  const properties = Object.entries(declaredProperties ?? {});
  if (properties.length === 0) return others;
  return properties.reduce((sum, [key, schema]) => sum + countProperty(key, schema, encode), others + perProperties);
}

/** One argument as `name:type:description`; whatever else its schema says counts as JSON. */
function countProperty(key: string, schema: unknown, encode: Encoder): number {
  if (typeof schema !== "object" || schema === null) return perProperty + encode(`${key}:`);
  const { type = "", description = "", enum: values, ...rest } = schema as Readonly<Record<string, unknown>>;
  const line = `${key}:${String(type)}:${String(description).replace(/\.$/, "")}`;
  let count = perProperty + encode(line);
  if (Array.isArray(values))
    count += values.reduce<number>((sum, value) => sum + perEnumItem + encode(String(value)), perEnum);
  return Object.keys(rest).length === 0 ? count : count + encode(JSON.stringify(rest));
}
