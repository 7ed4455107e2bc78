import type { ChatRequest } from "../api/chat.ts";
import type { ChatMessage, Delta, ToolCall, ToolCallDelta } from "../api/message.ts";
import type { Tool, ToolChoice } from "../api/tools.ts";
import { parseArguments } from "../runtime/json/exact-json.ts";
import { isRecord } from "./wire-values.ts";

/** What a custom tool is called with: one text of any form. */
export interface CustomCall {
  readonly name: string;
  readonly input: string;
}

/** The custom part of a call; `undefined` for the call of a function. */
export function customCallOf({ type, custom }: ToolCall): CustomCall | undefined {
  if (type !== "custom" && custom === undefined) return undefined;
  const { name, input } = isRecord(custom) ? custom : {};
  return { name: typeof name === "string" ? name : "", input: typeof input === "string" ? input : "" };
}

/** True for a request with a custom tool, or with the call of one in its history. */
export function hasCustomTools({ tools, messages }: ChatRequest): boolean {
  if (tools?.some(({ type }) => type === "custom")) return true;
  return messages.some(({ tool_calls: calls }) => calls?.some(({ type }) => type === "custom"));
}

/** The names of a request's custom tools. */
export function customNames({ tools = [] }: ChatRequest): ReadonlySet<string> {
  return new Set(tools.flatMap(({ type, custom }) => (type === "custom" ? [`${custom?.name ?? ""}`] : [])));
}

/** The request for a vendor without custom tools: each is a function with one text, `input`, and so is each call in the history. */
export function withFunctions(request: ChatRequest): ChatRequest {
  const { tools, tool_choice: choice, messages } = request;
  return {
    ...request,
    messages: messages.map(withFunctionCalls),
    ...(tools && { tools: tools.map(functionOf) }),
    ...(choice && { tool_choice: choiceOf(choice) }),
  };
}

function withFunctionCalls(message: ChatMessage): ChatMessage {
  const { tool_calls: calls } = message;
  if (!calls?.some(({ type }) => type === "custom")) return message;
  return { ...message, tool_calls: calls.map(functionCallOf) };
}

function functionCallOf(call: ToolCall): ToolCall {
  const { custom, ...rest } = call;
  const called = customCallOf(call);
  if (called === undefined) return call;
  const { name, input } = called;
  return { ...rest, type: "function", function: { name, arguments: JSON.stringify({ input }) } };
}

function functionOf(tool: Tool): Tool {
  if (tool.type !== "custom") return tool;
  const { custom, ...rest } = tool;
  const { name, description, format } = custom ?? {};
  const { syntax, definition } = format?.grammar ?? {};
  const grammar =
    definition === undefined ? "" : `\nThe text of \`input\` follows this ${syntax ?? ""} grammar:\n${definition}`;
  const parameters = {
    type: "object",
    properties: { input: { type: "string", description: "The text that the tool takes, as it is." } },
    required: ["input"],
    additionalProperties: false,
  };
  const described = typeof description === "string" ? description : "";
  return {
    ...rest,
    type: "function",
    function: { name: `${name ?? ""}`, description: described + grammar, parameters },
  };
}

function choiceOf(choice: ToolChoice): ToolChoice {
  if (typeof choice === "string") return choice;
  if (choice.type === "custom") return { type: "function", function: { name: nameIn(choice.custom) } };
  if (choice.type !== "allowed_tools") return choice;
  const tools = (choice.allowed_tools?.tools ?? []).map((tool) =>
    tool.type === "custom" ? { type: "function", function: { name: nameIn(tool.custom) } } : tool,
  );
  return { ...choice, allowed_tools: { ...choice.allowed_tools, tools } };
}

function nameIn(custom: unknown): string {
  return isRecord(custom) && typeof custom.name === "string" ? custom.name : "";
}

/** The text of a custom tool's call; arguments that are no object with `input` are the text themselves. */
export function inputOf(text: string): string {
  const input = parseArguments(text)?.input;
  return typeof input === "string" ? input : text;
}

/** A call as the caller knows it: of a custom tool where its name is one of `names`. */
export function restoreCustomCall(call: ToolCall, names: ReadonlySet<string>): ToolCall {
  const { function: called, ...rest } = call;
  if (called?.name === undefined || !names.has(called.name)) return call;
  return { ...rest, type: "custom", custom: { name: called.name, input: inputOf(called.arguments ?? "") } };
}

/** Gives the deltas of one choice back as the caller knows the tools: a custom tool's text comes when its arguments are whole. */
export interface CustomCallReader {
  read(delta: Delta, isLast: boolean): Delta;
}

/** A reader of one choice. */
export function customCallReader(names: ReadonlySet<string>): CustomCallReader {
  const open = new Map<number, string>();
  const restore = (call: ToolCallDelta): ToolCallDelta[] => {
    const { function: called, index = 0, ...rest } = call;
    const known = open.get(index);
    const name = called?.name;
    if (known === undefined && (name === undefined || !names.has(name))) return [call];
    open.set(index, (known ?? "") + (called?.arguments ?? ""));
    return known === undefined ? [{ ...rest, index, type: "custom", custom: { name, input: "" } }] : [];
  };
  return {
    read(delta, isLast) {
      if (delta.tool_calls === undefined && (!isLast || open.size === 0)) return delta;
      const { tool_calls: calls = [], ...others } = delta;
      const restored = calls.flatMap(restore);
      if (isLast) for (const [index, text] of open) restored.push({ index, custom: { input: inputOf(text) } });
      return restored.length === 0 ? others : { ...others, tool_calls: restored };
    },
  };
}
