import type { ChatRequest } from "../../../src/api/chat.ts";
import type { Tool, ToolChoice } from "../../../src/api/tools.ts";
import { invalidRequest, type Translation, unsupported } from "../chat/fields.ts";
import { cacheMark } from "./content.ts";
import { narrowSchema } from "./schema.ts";
import type { ModelTraits } from "./traits.ts";
import type { WireTool, WireToolChoice } from "./wire.ts";

/** What a request says of tools. */
export interface ToolPlan {
  readonly tools: readonly WireTool[] | undefined;
  readonly choice: WireToolChoice | undefined;
  readonly isForced: boolean;
}

interface ToolContext extends Translation {
  readonly traits: ModelTraits;
}

/** Writes tools, the choice among them, and the vendor's web search for `web_search_options`. */
export function planTools(request: ChatRequest, context: ToolContext): ToolPlan {
  const allowed = allowedNames(request.tool_choice);
  const functions = (request.tools ?? []).flatMap((tool, at) => writeTool(tool, `tools.${at}`, context));
  const offered = allowed === undefined ? functions : functions.filter(({ name }) => allowed.has(name));
  const tools = [...offered, ...webSearch(request, context)];
  if (tools.length === 0) return { tools: undefined, choice: undefined, isForced: false };
  const choice = permitted(choiceOf(request.tool_choice), context);
  const isForced = choice?.type === "any" || choice?.type === "tool";
  return { tools, choice: serialised(choice, request), isForced };
}

function writeTool(tool: Tool, path: string, { traits, provider, call }: ToolContext): WireTool[] {
  const { function: definition } = tool;
  if (definition === undefined) {
    call.warn(`\`${path}\` of type ${tool.type} is not supported by ${provider}`);
    return [];
  }
  const { name, description, parameters, strict } = definition;
  const open = { ...parameters, type: parameters?.type ?? "object" };
  const isStrict = strict === true && traits.hasStructuredOutputs;
  if (strict === true && !isStrict) call.warn(`\`${path}.function.strict\` is not supported by ${call.model}`);
  const narrowed = isStrict ? narrowSchema(open) : { schema: open, relaxed: [] };
  warnOfRelaxed(`${path}.function.parameters`, narrowed.relaxed, { provider, call });
  return [
    {
      name,
      ...(description === undefined ? {} : { description }),
      input_schema: narrowed.schema,
      ...(isStrict ? { strict: true } : {}),
      ...cacheMark(tool.cache_control),
    },
  ];
}

/** Names the keywords of a schema that the vendor cannot enforce. */
export function warnOfRelaxed(path: string, relaxed: readonly string[], { provider, call }: Translation): void {
  if (relaxed.length === 0) return;
  call.warn(`\`${path}\`: ${relaxed.map((keyword) => `\`${keyword}\``).join(", ")} cannot be enforced by ${provider}`);
}

function webSearch({ web_search_options: options }: ChatRequest, { provider, call }: ToolContext): WireTool[] {
  if (options === undefined) return [];
  if (options.search_context_size !== undefined) {
    call.warn(`\`web_search_options.search_context_size\` is not supported by ${provider}`);
  }
  const place = options.user_location?.approximate;
  const located = place === undefined ? {} : { user_location: { type: "approximate", ...place } };
  return [{ type: "web_search_20250305", name: "web_search", ...located }];
}

function allowedNames(choice: ToolChoice | undefined): ReadonlySet<string> | undefined {
  if (typeof choice !== "object" || choice.type !== "allowed_tools") return undefined;
  const tools = choice.allowed_tools?.tools ?? [];
  return new Set(tools.flatMap(({ function: named }) => (named === undefined ? [] : [named.name])));
}

const plainChoices = new Map<string, WireToolChoice["type"]>([
  ["none", "none"],
  ["auto", "auto"],
  ["required", "any"],
  ["any", "any"],
]);

function choiceOf(choice: ToolChoice | undefined): WireToolChoice | undefined {
  if (choice === undefined) return undefined;
  const kind = typeof choice === "string" ? choice : choice.type;
  const plain = plainChoices.get(kind);
  if (plain !== undefined) return { type: plain };
  if (typeof choice === "string" || choice.type === "custom") {
    throw unsupported("tool_choice", `of type ${kind} cannot be sent to this provider.`);
  }
  if (choice.type === "allowed_tools") return { type: choice.allowed_tools?.mode === "required" ? "any" : "auto" };
  if (!choice.function?.name) throw invalidRequest("tool_choice.function.name", "is missing.");
  return { type: "tool", name: choice.function.name };
}

function permitted(choice: WireToolChoice | undefined, { traits, call }: ToolContext): WireToolChoice | undefined {
  if (choice === undefined || traits.canForceTools || choice.type === "auto" || choice.type === "none") return choice;
  call.warn(`\`tool_choice\` is sent as auto: ${call.model} takes none that forces a call`);
  return { type: "auto" };
}

function serialised(
  choice: WireToolChoice | undefined,
  { parallel_tool_calls: isParallel }: ChatRequest,
): WireToolChoice | undefined {
  if (isParallel !== false || choice?.type === "none") return choice;
  return { ...(choice ?? { type: "auto" }), disable_parallel_tool_use: true };
}
