import type { ChatRequest } from "../../../engine/api/chat.ts";
import { readToolChoice } from "../../../engine/dialects/cohere/tool-choice.ts";
import { parametersOf } from "../shared/parameters.ts";
import type { CohereChatRequest } from "./schema.ts";

/** Tools and the choice among them in our form; strictness is one switch for all of them. */
export function readTools({ tools = [], strict_tools, tool_choice: choice }: CohereChatRequest): Partial<ChatRequest> {
  if (tools.length === 0) return {};
  const functions = tools.map(({ function: { name, description, parameters } }) => {
    const definition = {
      name,
      ...(description ? { description } : {}),
      ...(parameters ? { parameters: parametersOf(parameters) } : {}),
      ...(strict_tools === true ? { strict: true } : {}),
    };
    return { type: "function" as const, function: definition };
  });
  const chosen = choice === undefined ? {} : { tool_choice: readToolChoice(choice) };
  return { tools: functions, ...chosen };
}
