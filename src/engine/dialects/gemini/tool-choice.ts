import type { ToolChoice } from "../../api/tools.ts";
import { invalidRequest } from "../refusals.ts";
import { allowedToolsChoice, functionChoice, plainToolChoice } from "../tool-choice.ts";

/** `functionCallingConfig` of a request, as we send it. */
export interface FunctionCallingConfig {
  readonly mode: "AUTO" | "ANY" | "NONE" | "VALIDATED";
  readonly allowedFunctionNames?: readonly string[] | undefined;
}

/** The same as callers send it. */
export interface ReceivedFunctionCallingConfig {
  readonly mode?: string | undefined;
  readonly allowedFunctionNames?: readonly string[] | undefined;
}

/**
 * The vendor's form of a tool choice; `undefined` where its default says the same. `isStrict` asks that arguments follow their schema,
 * which the vendor ensures for a forced call, or by the mode `VALIDATED`. Throws as {@link plainToolChoice} does.
 */
export function writeToolChoice(choice: ToolChoice | undefined, isStrict: boolean): FunctionCallingConfig | undefined {
  const free = isStrict ? "VALIDATED" : "AUTO";
  if (choice === undefined) return isStrict ? { mode: free } : undefined;
  const { mode, name } = plainToolChoice(choice);
  if (name !== undefined) return { mode: "ANY", allowedFunctionNames: [name] };
  if (mode === "auto") return { mode: free };
  return { mode: mode === "none" ? "NONE" : "ANY" };
}

/** The tool choice that a caller sends in the vendor's form; throws `invalid_request`, which names `field`, for an unknown mode. */
export function readToolChoice(config: ReceivedFunctionCallingConfig, field: string): ToolChoice {
  const { mode = "AUTO", allowedFunctionNames: names = [] } = config;
  if (mode === "NONE") return "none";
  if (mode === "AUTO" || mode === "VALIDATED") return names.length === 0 ? "auto" : allowedToolsChoice("auto", names);
  if (mode !== "ANY") throw invalidRequest(field, "must be AUTO, ANY, NONE or VALIDATED.");
  const [only] = names;
  if (only === undefined) return "required";
  return names.length === 1 ? functionChoice(only) : allowedToolsChoice("required", names);
}
