import type { ChatRequest } from "../../../src/api/chat.ts";
import type { Tool, ToolChoice } from "../../../src/api/tools.ts";
import { invalidRequest, type Translation, unsupported } from "../../shared/chat/fields.ts";
import type { WireTool } from "./wire.ts";

/** What a request says of tools. */
export interface ToolPlan {
  readonly tools?: readonly WireTool[];
  readonly strict_tools?: true;
  readonly tool_choice?: "REQUIRED" | "NONE";
}

/**
 * Writes tools and the choice among them. The vendor knows no choice of a named tool: then that tool alone is offered, and a call
 * required. Strictness is one switch for all tools.
 */
export function planTools(request: ChatRequest, context: Translation): ToolPlan {
  const choice = choiceOf(request.tool_choice);
  const offered = (request.tools ?? []).flatMap((tool, at) => writeTool(tool, `tools.${at}`, context));
  const tools = choice.names === undefined ? offered : offered.filter(({ function: f }) => choice.names?.has(f.name));
  if (tools.length === 0) return {};
  const strict = (request.tools ?? []).filter((tool) => tool.function?.strict === true).length;
  if (strict > 0 && strict < offered.length) {
    context.call.warn("`tools[].function.strict` of some tools is sent as that of all: there is one switch for them");
  }
  return {
    tools,
    ...(strict > 0 ? { strict_tools: true } : {}),
    ...(choice.wire === undefined ? {} : { tool_choice: choice.wire }),
  };
}

function writeTool(tool: Tool, path: string, { provider, call }: Translation): WireTool[] {
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

interface Choice {
  readonly wire?: "REQUIRED" | "NONE";
  /** The tools that may be called; all of them unless given. */
  readonly names?: ReadonlySet<string>;
}

function choiceOf(choice: ToolChoice | undefined): Choice {
  if (choice === undefined || choice === "auto") return {};
  const kind = typeof choice === "string" ? choice : choice.type;
  if (kind === "none") return { wire: "NONE" };
  if (kind === "required" || kind === "any") return { wire: "REQUIRED" };
  if (typeof choice === "string" || kind === "custom") {
    throw unsupported("tool_choice", `of type ${kind} cannot be sent to this provider.`);
  }
  if (kind === "function") {
    if (!choice.function?.name) throw invalidRequest("tool_choice.function.name", "is missing.");
    return { wire: "REQUIRED", names: new Set([choice.function.name]) };
  }
  const { mode, tools = [] } = choice.allowed_tools ?? {};
  const names = new Set(tools.flatMap(({ function: named }) => (named === undefined ? [] : [named.name])));
  return { names, ...(mode === "required" ? { wire: "REQUIRED" as const } : {}) };
}
