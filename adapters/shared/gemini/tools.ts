import type { ChatRequest } from "../../../src/api/chat.ts";
import type { Tool, ToolChoice } from "../../../src/api/tools.ts";
import { invalidRequest, type Translation, unsupported } from "../chat/fields.ts";
import type { WireFunction, WireTool, WireToolConfig } from "./wire.ts";

/** What a request says of tools. */
export interface ToolPlan {
  readonly tools: readonly WireTool[] | undefined;
  readonly toolConfig: WireToolConfig | undefined;
}

/** Writes functions, the choice among them, and the vendor's search for `web_search_options`. */
export function planTools(request: ChatRequest, context: Translation): ToolPlan {
  const allowed = allowedNames(request.tool_choice);
  const declared = (request.tools ?? []).flatMap((tool, at) => writeTool(tool, `tools.${at}`, context));
  const functions = allowed === undefined ? declared : declared.filter(({ name }) => allowed.has(name));
  const tools: WireTool[] = [];
  if (functions.length > 0) tools.push({ functionDeclarations: functions });
  if (request.web_search_options !== undefined) tools.push(search(request.web_search_options, context));
  const isStrict = (request.tools ?? []).some((tool) => tool.function?.strict === true);
  const config = functions.length === 0 ? undefined : configOf(request.tool_choice, isStrict);
  return { tools: tools.length === 0 ? undefined : tools, toolConfig: config };
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

function search(options: NonNullable<ChatRequest["web_search_options"]>, { provider, call }: Translation): WireTool {
  for (const field of ["search_context_size", "user_location"] as const) {
    if (options[field] !== undefined) call.warn(`\`web_search_options.${field}\` is not supported by ${provider}`);
  }
  return { googleSearch: {} };
}

function allowedNames(choice: ToolChoice | undefined): ReadonlySet<string> | undefined {
  if (typeof choice !== "object" || choice.type !== "allowed_tools") return undefined;
  return new Set(
    (choice.allowed_tools?.tools ?? []).flatMap((tool) => (tool.function === undefined ? [] : [tool.function.name])),
  );
}

const modes = { none: "NONE", auto: "AUTO", required: "ANY", any: "ANY" } as const;

/** Arguments keep to the schema where a call is forced, or where the mode says so: that is what `strict` asks for. */
function configOf(choice: ToolChoice | undefined, isStrict: boolean): WireToolConfig | undefined {
  const free = isStrict ? "VALIDATED" : "AUTO";
  if (choice === undefined) return isStrict ? { functionCallingConfig: { mode: free } } : undefined;
  const kind = typeof choice === "string" ? choice : choice.type;
  if (kind === "auto") return { functionCallingConfig: { mode: free } };
  if (kind === "none" || kind === "required" || kind === "any") return { functionCallingConfig: { mode: modes[kind] } };
  if (typeof choice === "string" || kind === "custom")
    throw unsupported("tool_choice", `of type ${kind} cannot be sent to this provider.`);
  if (kind === "allowed_tools")
    return { functionCallingConfig: { mode: choice.allowed_tools?.mode === "required" ? "ANY" : free } };
  if (!choice.function?.name) throw invalidRequest("tool_choice.function.name", "is missing.");
  return { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [choice.function.name] } };
}
