import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { AnthropicToolChoice } from "../../../src/engine/dialects/anthropic/tool-choice.ts";
import { planTools } from "../../shared/anthropic/tools.ts";
import type { ClaudeTraits } from "../../shared/anthropic/traits.ts";
import type { AnthropicWireTool } from "../../shared/anthropic/wire.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { cachePoint } from "./blocks.ts";
import type { ConverseMessage, ConverseTool, ToolConfig } from "./wire.ts";

/** The fields of a request about tools. */
export interface ToolConfigPlan {
  readonly toolConfig: ToolConfig | undefined;
  readonly isForced: boolean;
}

/**
 * Writes tools and the choice among them. Converse cannot say "none": then the tools are left out, unless the conversation holds calls,
 * which it refuses without them.
 */
export function planToolConfig(
  { web_search_options: _unsupported, anthropic: _own, ...request }: ChatRequest,
  messages: readonly ConverseMessage[],
  context: Translation & { readonly traits: ClaudeTraits },
): ToolConfigPlan {
  const { provider, call } = context;
  const { tools, choice, isForced } = planTools(request, context);
  if (tools === undefined) return { toolConfig: configOfHistory(messages, context), isForced };
  if (choice?.type === "none") {
    if (!holdsCalls(messages)) return { toolConfig: undefined, isForced: false };
    call.warn(`\`tool_choice\` none is not supported by ${provider} in a conversation with calls`);
  }
  if (choice?.disable_parallel_tool_use) call.warn(`\`parallel_tool_calls\` is not supported by ${provider}`);
  return { toolConfig: { tools: tools.flatMap(writeTool), toolChoice: writeChoice(choice) }, isForced };
}

/** A conversation with calls is refused without `toolConfig`: where no tools come with it, their names are taken from the calls. */
function configOfHistory(messages: readonly ConverseMessage[], { call }: Translation): ToolConfig | undefined {
  if (!holdsCalls(messages)) return undefined;
  call.warn("`tools` are missing for the calls of the conversation: their names are sent");
  const called = messages.flatMap(({ content }) => content.flatMap((block) => namesOf(block)));
  const names = called.length === 0 ? [unnamed] : [...new Set(called)];
  return {
    tools: names.flatMap((name) => writeTool({ name, input_schema: { type: "object" } })),
    toolChoice: undefined,
  };
}

/** The tool of results whose calls are not there. */
const unnamed = "unknown_tool";

function namesOf(block: ConverseMessage["content"][number]): string[] {
  return "toolUse" in block ? [block.toolUse.name] : [];
}

function holdsCalls(messages: readonly ConverseMessage[]): boolean {
  return messages.some(({ content }) => content.some((block) => "toolUse" in block || "toolResult" in block));
}

function writeTool(tool: AnthropicWireTool): ConverseTool[] {
  const { name, description, input_schema: json, strict } = tool;
  const toolSpec = { name, description, inputSchema: { json }, ...(strict === true ? { strict } : {}) };
  return [{ toolSpec: toolSpec as never }, ...cachePoint(tool)];
}

function writeChoice(choice: AnthropicToolChoice | undefined): ToolConfig["toolChoice"] {
  if (choice === undefined || choice.type === "none") return undefined;
  return choice.type === "tool" ? { tool: { name: choice.name } } : { [choice.type]: {} };
}
