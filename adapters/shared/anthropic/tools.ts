import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { Tool } from "../../../src/engine/api/tools.ts";
import type { AnthropicToolChoice } from "../../../src/engine/dialects/anthropic/tool-choice.ts";
import { writeToolChoice } from "../../../src/engine/dialects/anthropic/tool-choice.ts";
import { allowedToolNames } from "../../../src/engine/dialects/tool-choice.ts";
import type { Translation } from "../chat/fields.ts";
import { cacheMark } from "./content.ts";
import { narrowSchema } from "./schema.ts";
import type { ClaudeTraits } from "./traits.ts";
import type { AnthropicWireTool } from "./wire.ts";

/** The fields of a request about tools. */
export interface AnthropicToolPlan {
  readonly tools: readonly AnthropicWireTool[] | undefined;
  readonly choice: AnthropicToolChoice | undefined;
  readonly isForced: boolean;
}

interface ToolContext extends Translation {
  readonly traits: ClaudeTraits;
}

/** Writes tools, the choice among them, and the vendor's web search for `web_search_options`. */
export function planTools(request: ChatRequest, context: ToolContext): AnthropicToolPlan {
  const allowed = allowedToolNames(request.tool_choice);
  const functions = (request.tools ?? []).flatMap((tool, at) => writeTool(tool, `tools.${at}`, context));
  const deferred = new Set(request.anthropic?.deferred_tools);
  const offered = (allowed === undefined ? functions : functions.filter(({ name }) => allowed.has(name))).map((tool) =>
    deferred.has(tool.name) ? { ...tool, defer_loading: true } : tool,
  );
  const own = (request.anthropic?.tools ?? []).filter(({ name }) => allowed?.has(name) !== false);
  const tools = [...offered, ...own, ...webSearch(request, context)];
  if (tools.length === 0) return { tools: undefined, choice: undefined, isForced: false };
  const requested = request.tool_choice === undefined ? undefined : writeToolChoice(request.tool_choice);
  const choice = permitted(requested, context);
  const isForced = choice?.type === "any" || choice?.type === "tool";
  return { tools, choice: serialised(choice, request), isForced };
}

function writeTool(tool: Tool, path: string, { traits, provider, call }: ToolContext): AnthropicWireTool[] {
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

function webSearch(
  { web_search_options: options, anthropic }: ChatRequest,
  { provider, call }: ToolContext,
): AnthropicWireTool[] {
  if (anthropic?.web_search !== undefined) return [anthropic.web_search];
  if (options === undefined) return [];
  if (options.search_context_size !== undefined) {
    call.warn(`\`web_search_options.search_context_size\` is not supported by ${provider}`);
  }
  const location = options.user_location?.approximate;
  const located = location === undefined ? {} : { user_location: { type: "approximate", ...location } };
  return [{ type: "web_search_20250305", name: "web_search", ...located }];
}

function permitted(
  choice: AnthropicToolChoice | undefined,
  { traits, call }: ToolContext,
): AnthropicToolChoice | undefined {
  if (choice === undefined || traits.canForceTools || choice.type === "auto" || choice.type === "none") return choice;
  call.warn(`\`tool_choice\` is sent as auto: ${call.model} does not accept one that forces a call`);
  return { type: "auto" };
}

function serialised(
  choice: AnthropicToolChoice | undefined,
  { parallel_tool_calls: isParallel }: ChatRequest,
): AnthropicToolChoice | undefined {
  if (isParallel !== false || choice?.type === "none") return choice;
  return { ...(choice ?? { type: "auto" }), disable_parallel_tool_use: true };
}
