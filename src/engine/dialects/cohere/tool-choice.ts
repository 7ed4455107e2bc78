import type { ToolChoice } from "../../api/tools.ts";
import { allowedToolNames, plainToolChoice } from "../tool-choice.ts";

/** `tool_choice` of a request; the vendor's default is the model's own choice. */
export type CohereToolChoice = "REQUIRED" | "NONE";

/** A tool choice in the vendor's form, and the functions to offer: all of them unless `names` is there. */
export interface CohereToolOffer {
  readonly choice?: CohereToolChoice;
  readonly names?: ReadonlySet<string>;
}

/**
 * The vendor's form of a tool choice. It cannot name a function: then only that one is offered, and a call required. Throws as
 * {@link plainToolChoice} does.
 */
export function writeToolChoice(choice: ToolChoice | undefined): CohereToolOffer {
  if (choice === undefined) return {};
  const { mode, name } = plainToolChoice(choice);
  if (name !== undefined) return { choice: "REQUIRED", names: new Set([name]) };
  const names = allowedToolNames(choice);
  return {
    ...(mode === "auto" ? {} : { choice: mode === "none" ? ("NONE" as const) : ("REQUIRED" as const) }),
    ...(names === undefined ? {} : { names }),
  };
}

/** The tool choice that a caller sends in the vendor's form. */
export function readToolChoice(choice: CohereToolChoice): ToolChoice {
  return choice === "NONE" ? "none" : "required";
}
