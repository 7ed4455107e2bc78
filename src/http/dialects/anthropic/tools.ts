import type { ChatRequest } from "../../../engine/api/chat.ts";
import type { Tool } from "../../../engine/api/tools.ts";
import { isCallerRun, isWebSearch } from "../../../engine/dialects/anthropic/extension.ts";
import { readToolChoice } from "../../../engine/dialects/anthropic/tool-choice.ts";
import { invalidRequest } from "../../../engine/dialects/refusals.ts";
import { isRecord } from "../../../engine/dialects/wire-values.ts";
import { parametersOf } from "../shared/parameters.ts";
import { type FieldPath, type Notes, warnOfRest } from "../shared/translation-warnings.ts";
import type { AnthropicRequest, AnthropicTool } from "./schema.ts";

type AnthropicToolFields = Pick<
  ChatRequest,
  "anthropic" | "tools" | "tool_choice" | "parallel_tool_calls" | "web_search_options"
>;

type Extension = NonNullable<ChatRequest["anthropic"]>;

/** Tools, the choice among them, the vendor's web search as ours, and its other tools that the caller runs. */
export function readTools({ tools = [], tool_choice: choice }: AnthropicRequest, notes: Notes): AnthropicToolFields {
  const functions: Tool[] = [];
  const fields: AnthropicToolFields = {};
  const own: NonNullable<Extension["tools"]> = [];
  const deferred: string[] = [];
  const extension: Extension = {};
  for (const [at, tool] of tools.entries()) {
    const field = { notes, path: `tools.${at}.` };
    const { type, name, defer_loading: isDeferred } = tool;
    if (!type || type === "custom") {
      notes.origins.set(`tools.${functions.length}`, `tools.${at}`);
      functions.push(readFunction(tool, field));
      if (isDeferred === true) deferred.push(name);
      if (isDeferred === true) notes.origins.set("anthropic.deferred_tools", `tools.${at}.defer_loading`);
    } else if (isCallerRun(type)) {
      notes.origins.set(`anthropic.tools.${own.length}`, `tools.${at}`);
      own.push({ ...tool, type });
    } else if (isWebSearch(type)) {
      fields.web_search_options = readSearch(tool);
      extension.web_search = { ...tool, type };
      for (const limit of Object.keys(tool))
        notes.origins.set(`anthropic.web_search.${limit}`, `${field.path}${limit}`);
    } else throw invalidRequest(`${field.path}type`, `${type} runs at its vendor only; send a tool of your own.`);
  }
  if (functions.length > 0) fields.tools = functions;
  if (own.length > 0) extension.tools = own;
  if (deferred.length > 0) extension.deferred_tools = deferred;
  if (Object.keys(extension).length > 0) fields.anthropic = extension;
  if (choice !== undefined) fields.tool_choice = readToolChoice(choice);
  if (choice?.disable_parallel_tool_use) fields.parallel_tool_calls = false;
  return fields;
}

const functionFields = new Set([
  "type",
  "name",
  "description",
  "input_schema",
  "strict",
  "cache_control",
  "defer_loading",
]);

function readFunction(tool: AnthropicTool, field: FieldPath): Tool {
  const { name, description, input_schema: parameters, strict, cache_control } = tool;
  warnOfRest(tool, functionFields, field);
  const definition = {
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters: parametersOf(parameters) }),
    ...(strict === undefined ? {} : { strict }),
  };
  return { type: "function", function: definition, ...(cache_control ? { cache_control } : {}) };
}

function readSearch({ user_location: located }: AnthropicTool): NonNullable<AnthropicToolFields["web_search_options"]> {
  if (!isRecord(located)) return {};
  const { type: _type, ...approximate } = located;
  return { user_location: { type: "approximate", approximate } };
}
