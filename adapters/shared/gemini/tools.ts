import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { Tool } from "../../../src/engine/api/tools.ts";
import { writeToolChoice } from "../../../src/engine/dialects/gemini/tool-choice.ts";
import { allowedToolNames } from "../../../src/engine/dialects/tool-choice.ts";
import type { Translation } from "../chat/fields.ts";
import type { GeminiWireTool, WireFunction, WireToolConfig } from "./wire.ts";

/** The fields of a request about tools. */
export interface GeminiToolPlan {
  readonly tools: readonly GeminiWireTool[] | undefined;
  readonly toolConfig: WireToolConfig | undefined;
}

/** Writes functions, the choice among them, and the vendor's search for `web_search_options`. */
export function planTools(request: ChatRequest, context: Translation): GeminiToolPlan {
  const allowed = allowedToolNames(request.tool_choice);
  const declared = (request.tools ?? []).flatMap((tool, at) => writeTool(tool, `tools.${at}`, context));
  const functions = allowed === undefined ? declared : declared.filter(({ name }) => allowed.has(name));
  const tools: GeminiWireTool[] = [];
  if (functions.length > 0) tools.push({ functionDeclarations: functions });
  if (request.web_search_options !== undefined) tools.push(search(request.web_search_options, context));
  const isStrict = (request.tools ?? []).some((tool) => tool.function?.strict === true);
  const config = functions.length === 0 ? undefined : writeToolChoice(request.tool_choice, isStrict);
  return {
    tools: tools.length === 0 ? undefined : tools,
    toolConfig: config && { functionCallingConfig: config },
  };
}

function writeTool(tool: Tool, path: string, { provider, call }: Translation): WireFunction[] {
  const { function: definition } = tool;
  if (definition === undefined) {
    call.warn(`\`${path}\` of type ${tool.type} is not supported by ${provider}`);
    return [];
  }
  if (tool.cache_control) call.warn(`\`${path}.cache_control\` is not supported by ${provider}`);
  const { name, description, parameters } = definition;
  return [
    {
      name,
      ...(description === undefined ? {} : { description }),
      ...(parameters === undefined ? {} : { parametersJsonSchema: parameters }),
    },
  ];
}

function search(
  options: NonNullable<ChatRequest["web_search_options"]>,
  { provider, call }: Translation,
): GeminiWireTool {
  for (const field of ["search_context_size", "user_location"] as const) {
    if (options[field] !== undefined) call.warn(`\`web_search_options.${field}\` is not supported by ${provider}`);
  }
  return { googleSearch: {} };
}
