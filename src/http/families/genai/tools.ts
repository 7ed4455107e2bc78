import type { ChatRequest } from "../../../api/chat.ts";
import type { Tool } from "../../../api/tools.ts";
import { type Notes, type Place, refuseField, warnOfRest, warnUnkept } from "../shared/notes.ts";
import { parametersOf } from "../shared/parameters.ts";
import type { GenaiFunction, GenaiRequest, GenaiTool } from "./schema.ts";
import { toJsonSchema } from "./schemas.ts";

type ToolFields = Pick<ChatRequest, "tools" | "tool_choice" | "web_search_options">;

const searches: ReadonlySet<string> = new Set(["googleSearch", "googleSearchRetrieval"]);

/** Functions, the choice among them, and the vendor's search as ours. */
export function readTools({ tools = [], toolConfig }: GenaiRequest, notes: Notes): ToolFields {
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

interface Placed {
  readonly tool: Tool;
  readonly path: string;
}

function readTool({ functionDeclarations = [], ...rest }: GenaiTool, { notes, path }: Place): Placed[] {
  for (const [kind, value] of Object.entries(rest)) {
    if (searches.has(kind) || value === undefined || value === null) continue;
    throw refuseField(`${path}.${kind}`, "runs at its vendor only; declare a function of your own.");
  }
  return functionDeclarations.map((declared, at) => {
    const place = { notes, path: `${path}.functionDeclarations.${at}` };
    return { tool: readFunction(declared, place), path: place.path };
  });
}

const functionFields = new Set(["name", "description", "parameters", "parametersJsonSchema"]);

function readFunction(declared: GenaiFunction, { notes, path }: Place): Tool {
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

type CallingConfig = NonNullable<NonNullable<GenaiRequest["toolConfig"]>["functionCallingConfig"]>;

function choiceOf(config: CallingConfig | undefined, notes: Notes): ToolFields["tool_choice"] {
  const { mode = "AUTO", allowedFunctionNames: names = [] } = config ?? {};
  const field = "toolConfig.functionCallingConfig.mode";
  if (config === undefined) return undefined;
  if (mode === "VALIDATED") warnUnkept(notes, field, "VALIDATED is asked for as AUTO");
  if (mode === "NONE") return "none";
  if (mode === "AUTO" || mode === "VALIDATED") return names.length === 0 ? "auto" : allowed("auto", names);
  if (mode !== "ANY") throw refuseField(field, "must be AUTO, ANY, NONE or VALIDATED.");
  const [only] = names;
  if (only === undefined) return "required";
  return names.length === 1 ? { type: "function", function: { name: only } } : allowed("required", names);
}

function allowed(mode: "auto" | "required", names: readonly string[]): NonNullable<ToolFields["tool_choice"]> {
  const tools = names.map((name) => ({ type: "function", function: { name } }));
  return { type: "allowed_tools", allowed_tools: { mode, tools } };
}
