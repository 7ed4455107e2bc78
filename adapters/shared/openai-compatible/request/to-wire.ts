import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import type { Tool } from "../../../../src/engine/api/tools.ts";
import { extensionPaths } from "../../../../src/engine/dialects/anthropic/extension.ts";
import { type RequestTarget, type Warned, warnUnsupported } from "../compatibility-profile.ts";
import { messagesToWire, withoutCacheControl } from "./messages.ts";
import { reasoningToWire } from "./reasoning.ts";

/** A vendor's request body. */
export type WireBody = Record<string, unknown>;

/** How the fields of a request go to a vendor. */
export interface FieldRules {
  /** The call that collects warnings of the fields that are left out. */
  readonly to: Warned;
  /** Fields that the vendor does not take. */
  readonly unsupported: readonly string[];
  /** Our name → the vendor's. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Fields that are written in another way, or that the vendor does not have. */
  readonly apart?: ReadonlySet<string>;
}

const apart: ReadonlySet<string> = new Set([
  "anthropic",
  "fallbacks",
  "messages",
  "model",
  "reasoning",
  "stream",
  "stream_options",
]);

/** The body of `POST /chat/completions` in the addressee's dialect; unknown fields go along untouched, the request stays as it is. */
export function chatToWire(request: ChatRequest, model: string, to: RequestTarget & { isStream: boolean }): WireBody {
  const { stream_options, reasoning, messages } = request;
  const { dialect } = to;
  const wire: WireBody = { model, messages: messagesToWire(messages, model, to) };
  addFields(wire, request, rulesFor(model, to));
  if (request.anthropic) for (const path of extensionPaths(request)) warnUnsupported(to, path);
  if (reasoning) Object.assign(wire, reasoningToWire(reasoning, to));
  if (wire.prompt_cache_retention === "in-memory") wire.prompt_cache_retention = "in_memory"; // the specification's word, and the vendors'
  if (wire.tool_choice !== undefined) wire.tool_choice = toolChoiceToWire(request.tool_choice);
  if (wire.tools !== undefined) wire.tools = toolsToWire(request.tools, to);
  if (dialect.hasFlatLocation && request.web_search_options)
    wire.web_search_options = withFlatLocation(request.web_search_options, to);
  if (dialect.countsLogprobs) countLogprobs(wire, request);
  if (to.isStream) addStreamFields(wire, stream_options, to);
  return wire;
}

function rulesFor(model: string, to: RequestTarget): FieldRules {
  const { unsupported = [], unsupportedBy, renamed = {} } = to.dialect;
  if (!unsupportedBy?.models.test(model)) return { to, unsupported, renamed, apart };
  return { to, unsupported: [...unsupported, ...unsupportedBy.fields], renamed, apart };
}

/** Adds fields to a body as the vendor takes them; those that it does not take are left out with a warning. */
export function addFields(wire: WireBody, fields: Readonly<WireBody>, rules: FieldRules): void {
  const { to, unsupported, renamed } = rules;
  for (const field of Object.keys(fields)) {
    const value = fields[field];
    if (value === undefined || rules.apart?.has(field)) continue;
    if (!unsupported.includes(field)) wire[Object.hasOwn(renamed, field) ? (renamed[field] as string) : field] = value;
    else if (value !== null) warnUnsupported(to, field);
  }
}

/** Our object form of `none`, `any` and `required` is a plain word in OpenAI's dialect. */
function toolChoiceToWire(choice: ChatRequest["tool_choice"]): unknown {
  if (typeof choice !== "object" || choice === null) return choice;
  if (choice.type === "any" || choice.type === "required") return "required";
  return choice.type === "none" ? "none" : choice;
}

function countLogprobs(wire: WireBody, { logprobs, top_logprobs }: ChatRequest): void {
  if (logprobs === undefined && top_logprobs === undefined) return;
  delete wire.top_logprobs;
  delete wire.logprobs;
  if (logprobs !== false) wire.logprobs = Math.max(1, top_logprobs ?? 1);
}

function addStreamFields(wire: WireBody, options: ChatRequest["stream_options"], to: RequestTarget): void {
  wire.stream = true;
  const { streamOptions } = to.dialect;
  if (streamOptions === "all") {
    wire.stream_options = { ...options, include_usage: true };
    return;
  }
  if (options?.include_obfuscation !== undefined) warnUnsupported(to, "stream_options.include_obfuscation");
  if (streamOptions === "usage") wire.stream_options = { include_usage: true };
}

/** `web_search_options` with the parts of the place directly in `user_location`, which has no time zone then. */
function withFlatLocation(options: NonNullable<ChatRequest["web_search_options"]>, to: RequestTarget): unknown {
  const { user_location: location } = options;
  if (location?.approximate === undefined) return options;
  const { timezone, ...context } = location.approximate;
  if (timezone !== undefined) warnUnsupported(to, "web_search_options.user_location.approximate.timezone");
  const { type: _type, approximate: _approximate, ...rest } = location;
  return { ...options, user_location: { ...rest, ...context } };
}

/** The tools as the vendor takes them; a list that needs no change is passed on as it is. */
export function toolsToWire(tools: ChatRequest["tools"], to: RequestTarget): unknown {
  const marks = !to.dialect.keepsCacheControl && tools?.some((tool) => tool.cache_control !== undefined);
  const whole = tools?.some(lacksProperties) ? tools.map(withProperties) : tools;
  return marks ? whole?.map((tool) => withoutCacheControl(tool, to)) : whole;
}

/** `{ "type": "object" }` is a whole schema for Anthropic, Gemini and MCP; OpenAI refuses one without `properties`. */
function lacksProperties(tool: Tool): boolean {
  const parameters = tool.function?.parameters;
  if (parameters === undefined || parameters.properties !== undefined) return false;
  return parameters.type === "object" || Object.keys(parameters).length === 0;
}

function withProperties(tool: Tool): Tool {
  if (tool.function === undefined || !lacksProperties(tool)) return tool;
  const parameters = { ...tool.function.parameters, type: "object", properties: {} };
  return { ...tool, function: { ...tool.function, parameters } };
}
