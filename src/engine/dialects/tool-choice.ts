import type { ToolChoice } from "../api/tools.ts";
import { invalidRequest, unsupported } from "./refusals.ts";

/** A tool choice without its several spellings. */
export interface PlainToolChoice {
  readonly mode: "none" | "auto" | "required";
  /** The one function that must be called. */
  readonly name?: string;
}

/** Reads a caller's tool choice; throws `unsupported_operation` for a custom tool, `invalid_request` for a function without a name. */
export function plainToolChoice(choice: ToolChoice): PlainToolChoice {
  const kind = typeof choice === "string" ? choice : choice.type;
  if (kind === "none" || kind === "auto" || kind === "required") return { mode: kind };
  if (kind === "any") return { mode: "required" };
  if (typeof choice === "string" || kind === "custom")
    throw unsupported("tool_choice", `of type ${kind} cannot be sent to this provider.`);
  if (kind === "allowed_tools") return { mode: choice.allowed_tools?.mode === "required" ? "required" : "auto" };
  if (!choice.function?.name) throw invalidRequest("tool_choice.function.name", "is missing.");
  return { mode: "required", name: choice.function.name };
}

/** The names of the functions that `allowed_tools` offers; `undefined` when the choice offers all of them. */
export function allowedToolNames(choice: ToolChoice | undefined): ReadonlySet<string> | undefined {
  if (typeof choice !== "object" || choice.type !== "allowed_tools") return undefined;
  const tools = choice.allowed_tools?.tools ?? [];
  return new Set(tools.flatMap(({ function: named }) => (named === undefined ? [] : [named.name])));
}

/** The choice of one function. */
export function functionChoice(name: string): Exclude<ToolChoice, string> {
  return { type: "function", function: { name } };
}

/** The choice among some of the functions. */
export function allowedToolsChoice(mode: "auto" | "required", names: readonly string[]): Exclude<ToolChoice, string> {
  const tools = names.map((name) => ({ type: "function", function: { name } }));
  return { type: "allowed_tools", allowed_tools: { mode, tools } };
}
