import type { ToolCall } from "../../../src/engine/api/message.ts";
import { parseArguments } from "../../../src/engine/runtime/json/exact-json.ts";
import type { Translation } from "./fields.ts";

/**
 * The arguments of a past call as an object. Those that are none, as an answer that was cut off leaves them, become
 * `{ "INVALID_JSON": "<text>" }` (Anthropic's advice for fine-grained streaming), with a warning: the conversation goes on, and the model
 * sees what it wrote.
 */
export function argumentsOf(
  { function: called }: ToolCall,
  { path, call }: Translation & { readonly path: string },
): Record<string, unknown> {
  const parsed = parseArguments(called?.arguments);
  if (parsed !== undefined) return parsed;
  call.warn(`\`${path}.function.arguments\` is no JSON object and is sent as the INVALID_JSON of one`);
  return { INVALID_JSON: called?.arguments };
}

/** The arguments of an answer's call, or their first piece, with `null` as the empty object that a vendor means by it. */
export function statedArguments(text: string): string {
  return text.trim() === "null" ? "{}" : text;
}
