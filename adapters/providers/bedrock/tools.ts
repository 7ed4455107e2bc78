import type { ChatRequest } from "../../../src/api/chat.ts";
import { planTools } from "../../shared/anthropic/tools.ts";
import type { ModelTraits } from "../../shared/anthropic/traits.ts";
import type { WireTool, WireToolChoice } from "../../shared/anthropic/wire.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { cachePoint } from "./blocks.ts";
import type { ConverseMessage, ConverseTool, ToolConfig } from "./wire.ts";

/** What a request says of tools. */
export interface ToolConfigPlan {
  readonly toolConfig: ToolConfig | undefined;
  readonly isForced: boolean;
}

/**
 * Writes tools and the choice among them. Converse cannot say "none": then the tools are left out, unless the conversation holds calls,
 * which it refuses without them.
 */
export function planToolConfig(
  { web_search_options: _unsupported, ...request }: ChatRequest,
  messages: readonly ConverseMessage[],
  context: Translation & { readonly traits: ModelTraits },
): ToolConfigPlan {
  const { provider, call } = context;
  const { tools, choice, isForced } = planTools(request, context);
  if (tools === undefined) return { toolConfig: undefined, isForced };
  if (choice?.type === "none") {
    if (!holdsCalls(messages)) return { toolConfig: undefined, isForced: false };
    call.warn(`\`tool_choice\` none is not supported by ${provider} in a conversation with calls`);
  }
  if (choice?.disable_parallel_tool_use) call.warn(`\`parallel_tool_calls\` is not supported by ${provider}`);
  return { toolConfig: { tools: tools.flatMap(writeTool), toolChoice: writeChoice(choice) }, isForced };
}

function holdsCalls(messages: readonly ConverseMessage[]): boolean {
  return messages.some(({ content }) => content.some((block) => "toolUse" in block || "toolResult" in block));
}

function writeTool(tool: WireTool): ConverseTool[] {
  const { name, description, input_schema: json, strict } = tool;
  const toolSpec = { name, description, inputSchema: { json }, ...(strict === true ? { strict } : {}) };
  return [{ toolSpec: toolSpec as never }, ...cachePoint(tool)];
}

function writeChoice(choice: WireToolChoice | undefined): ToolConfig["toolChoice"] {
  if (choice === undefined || choice.type === "none") return undefined;
  return choice.type === "tool" ? { tool: { name: choice.name } } : { [choice.type]: {} };
}
