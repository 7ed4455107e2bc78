import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { Tool } from "../../../src/engine/api/tools.ts";
import { type CohereToolChoice, writeToolChoice } from "../../../src/engine/dialects/cohere/tool-choice.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import type { CohereWireTool } from "./wire.ts";

/** The fields of a request about tools. */
export interface CohereToolPlan {
  readonly tools?: readonly CohereWireTool[];
  readonly strict_tools?: true;
  readonly tool_choice?: CohereToolChoice;
}

/**
 * Writes tools and the choice among them. The vendor knows no choice of a named tool: then that tool alone is offered, and a call
 * required. Strictness is one switch for all tools.
 */
export function planTools(request: ChatRequest, context: Translation): CohereToolPlan {
  const { choice, names } = writeToolChoice(request.tool_choice);
  const offered = (request.tools ?? []).flatMap((tool, at) => writeTool(tool, `tools.${at}`, context));
  const tools = names === undefined ? offered : offered.filter(({ function: f }) => names.has(f.name));
  if (tools.length === 0) return {};
  const strict = (request.tools ?? []).filter((tool) => tool.function?.strict === true).length;
  if (strict > 0 && strict < offered.length) {
    context.call.warn("`tools[].function.strict` of some tools is sent as that of all: there is one switch for them");
  }
  return {
    tools,
    ...(strict > 0 ? { strict_tools: true } : {}),
    ...(choice === undefined ? {} : { tool_choice: choice }),
  };
}

function writeTool(tool: Tool, path: string, { provider, call }: Translation): CohereWireTool[] {
  const { function: definition, type, cache_control } = tool;
  if (definition === undefined) {
    call.warn(`\`${path}\` of type ${type} is not supported by ${provider}`);
    return [];
  }
  if (cache_control !== undefined) call.warn(`\`cache_control\` is not supported by ${provider}`);
  const { name, description, parameters } = definition;
  const open = { ...parameters, type: parameters?.type ?? "object" };
  return [
    { type: "function", function: { name, ...(description === undefined ? {} : { description }), parameters: open } },
  ];
}
