import type { ToolChoice } from "../../api/tools.ts";
import { invalidRequest } from "../refusals.ts";
import { functionChoice, plainToolChoice } from "../tool-choice.ts";

/** `tool_choice` of the Messages API. */
export interface AnthropicToolChoice {
  readonly type: "auto" | "any" | "none" | "tool";
  readonly name?: string | undefined;
  readonly disable_parallel_tool_use?: boolean | undefined;
}

/** The vendor's form of a tool choice; throws as {@link plainToolChoice} does. */
export function writeToolChoice(choice: ToolChoice): AnthropicToolChoice {
  const { mode, name } = plainToolChoice(choice);
  if (name !== undefined) return { type: "tool", name };
  return { type: mode === "required" ? "any" : mode };
}

/** The tool choice that a caller sends in the vendor's form; throws `invalid_request` for a tool without a name. */
export function readToolChoice({ type, name }: AnthropicToolChoice): ToolChoice {
  if (type === "any") return "required";
  if (type !== "tool") return type;
  if (name === undefined) throw invalidRequest("tool_choice.name", "is missing.");
  return functionChoice(name);
}
