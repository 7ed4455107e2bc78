import type { ChatRequest } from "../../../api/chat.ts";
import type { Tool } from "../../../api/tools.ts";
import { readToolChoice } from "../../../dialects/anthropic/tool-choice.ts";
import { invalidRequest } from "../../../dialects/refusals.ts";
import { isRecord } from "../../../dialects/wire-values.ts";
import { parametersOf } from "../shared/parameters.ts";
import { type FieldPath, type Notes, warnOfRest } from "../shared/translation-warnings.ts";
import type { AnthropicRequest, AnthropicTool } from "./schema.ts";

type AnthropicToolFields = Pick<ChatRequest, "tools" | "tool_choice" | "parallel_tool_calls" | "web_search_options">;

/** Tools, the choice among them, and the vendor's web search as ours. */
export function readTools({ tools = [], tool_choice: choice }: AnthropicRequest, notes: Notes): AnthropicToolFields {
  const functions: Tool[] = [];
  const fields: AnthropicToolFields = {};
  for (const [at, tool] of tools.entries()) {
    const field = { notes, path: `tools.${at}.` };
    if (isOwn(tool)) {
      notes.origins.set(`tools.${functions.length}`, `tools.${at}`);
      functions.push(readFunction(tool, field));
    } else fields.web_search_options = readSearch(tool, field);
  }
  if (functions.length > 0) fields.tools = functions;
  if (choice !== undefined) fields.tool_choice = readToolChoice(choice);
  if (choice?.disable_parallel_tool_use) fields.parallel_tool_calls = false;
  return fields;
}

/** True for a tool of the caller's own. */
function isOwn({ type }: AnthropicTool): boolean {
  return type === undefined || type === null || type === "custom";
}

const functionFields = new Set(["type", "name", "description", "input_schema", "strict", "cache_control"]);

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

const searchFields = new Set(["type", "name", "user_location"]);

function readSearch(tool: AnthropicTool, field: FieldPath): NonNullable<AnthropicToolFields["web_search_options"]> {
  if (!/^web_search_\d+$/.test(tool.type ?? "")) {
    throw invalidRequest(`${field.path}type`, `${tool.type} runs at its vendor only; send a tool of your own.`);
  }
  warnOfRest(tool, searchFields, field);
  const { user_location: located } = tool;
  if (!isRecord(located)) return {};
  const { type: _type, ...approximate } = located;
  return { user_location: { type: "approximate", approximate } };
}
