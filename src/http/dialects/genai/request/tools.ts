import type { ChatRequest } from "../../../../engine/api/chat.ts";
import type { Tool } from "../../../../engine/api/tools.ts";
import { readToolChoice } from "../../../../engine/dialects/gemini/tool-choice.ts";
import { invalidRequest } from "../../../../engine/dialects/refusals.ts";
import { parametersOf } from "../../shared/parameters.ts";
import { type FieldPath, type Notes, warnOfRest, warnUnsupportedFields } from "../../shared/translation-warnings.ts";
import type { GenaiFunction, GenaiRequest, GenaiTool } from "../schema.ts";
import { toJsonSchema } from "./json-schema.ts";

type GenaiToolFields = Pick<ChatRequest, "tools" | "tool_choice" | "web_search_options">;

const searches: ReadonlySet<string> = new Set(["googleSearch", "googleSearchRetrieval"]);

/** Functions, the choice among them, and the vendor's search as ours. */
export function readTools({ tools = [], toolConfig }: GenaiRequest, notes: Notes): GenaiToolFields {
  const functions = tools.flatMap((tool, at) => readTool(tool, { notes, path: `tools.${at}` }));
  for (const [at, { path }] of functions.entries()) notes.origins.set(`tools.${at}`, path);
  const asksForSearch = tools.some((tool) => Object.keys(tool).some((kind) => searches.has(kind)));
  const choice = choiceOf(toolConfig?.functionCallingConfig, notes);
  return {
    ...(functions.length === 0 ? {} : { tools: functions.map(({ tool }) => tool) }),
    ...(asksForSearch ? { web_search_options: {} } : {}),
    ...(choice === undefined || functions.length === 0 ? {} : { tool_choice: choice }),
  };
}

interface ToolAtPath {
  readonly tool: Tool;
  readonly path: string;
}

function readTool({ functionDeclarations = [], ...rest }: GenaiTool, { notes, path }: FieldPath): ToolAtPath[] {
  for (const [kind, value] of Object.entries(rest)) {
    if (searches.has(kind) || value === undefined || value === null) continue;
    throw invalidRequest(`${path}.${kind}`, "runs at its vendor only; declare a function of your own.");
  }
  return functionDeclarations.map((declared, at) => {
    const field = { notes, path: `${path}.functionDeclarations.${at}` };
    return { tool: readFunction(declared, field), path: field.path };
  });
}

const functionFields = new Set(["name", "description", "parameters", "parametersJsonSchema"]);

function readFunction(declared: GenaiFunction, { notes, path }: FieldPath): Tool {
  const { name, description, parameters, parametersJsonSchema } = declared;
  warnOfRest(declared, functionFields, { notes, path: `${path}.` });
  const schema = parametersJsonSchema ?? (parameters === undefined ? undefined : toJsonSchema(parameters));
  const definition = {
    name,
    ...(description === undefined ? {} : { description }),
    ...(schema === undefined ? {} : { parameters: parametersOf(schema) }),
  };
  return { type: "function", function: definition };
}

const modeField = "toolConfig.functionCallingConfig.mode";

type CallingConfig = NonNullable<NonNullable<GenaiRequest["toolConfig"]>["functionCallingConfig"]>;

function choiceOf(config: CallingConfig | undefined, notes: Notes): GenaiToolFields["tool_choice"] {
  if (config?.mode === "VALIDATED") warnUnsupportedFields(notes, modeField, "VALIDATED is sent as AUTO");
  return config === undefined ? undefined : readToolChoice(config, modeField);
}
