import type { ChatRequest } from "../../../api/chat.ts";
import type { Tool } from "../../../api/tools.ts";
import { isRecord } from "../shared/arguments.ts";
import { type Notes, type Place, refuseField, warnOfRest, warnUnkept } from "../shared/notes.ts";
import { parametersOf } from "../shared/parameters.ts";
import type { ResponseRequest, ResponseTool } from "./schema.ts";

type ToolFields = Pick<ChatRequest, "tools" | "tool_choice" | "web_search_options">;

/** Functions, the choice among them, and the vendor's web search as ours. */
export function readTools({ tools = [], tool_choice: choice }: ResponseRequest, notes: Notes): ToolFields {
  const functions: Tool[] = [];
  const fields: ToolFields = {};
  for (const [at, tool] of tools.entries()) {
    const place = { notes, path: `tools.${at}.` };
    if (tool.type === "function") {
      notes.origins.set(`tools.${functions.length}`, `tools.${at}`);
      functions.push(readFunction(tool, place));
    } else fields.web_search_options = readSearch(tool, place);
  }
  if (functions.length > 0)
    return { ...fields, tools: functions, ...(choice ? { tool_choice: choiceOf(choice) } : {}) };
  if (choice === "none") return {};
  if (choice !== undefined && choice !== "auto") warnUnkept(notes, "tool_choice", "of a search is asked for as auto");
  return fields;
}

const functionFields = new Set(["type", "name", "description", "parameters", "strict"]);

function readFunction(tool: ResponseTool, place: Place): Tool {
  const { name, description, parameters, strict } = tool;
  if (name === undefined) throw refuseField(`${place.path}name`, "is missing.");
  warnOfRest(tool, functionFields, place);
  const definition = {
    name,
    ...(description ? { description } : {}),
    ...(parameters ? { parameters: parametersOf(parameters) } : {}),
    ...(typeof strict === "boolean" ? { strict } : {}),
  };
  return { type: "function", function: definition };
}

const searchFields = new Set(["type", "search_context_size", "user_location"]);

function readSearch(tool: ResponseTool, place: Place): NonNullable<ToolFields["web_search_options"]> {
  if (!/^web_search(?:_preview)?(?:_[\d_]+)?$/.test(tool.type)) {
    throw refuseField(`${place.path}type`, `${tool.type} runs at its vendor only; send a function of your own.`);
  }
  warnOfRest(tool, searchFields, place);
  const { search_context_size: size, user_location: located } = tool;
  return {
    ...(size === "low" || size === "medium" || size === "high" ? { search_context_size: size } : {}),
    ...(isRecord(located) ? { user_location: locationOf(located) } : {}),
  };
}

function locationOf({ type: _type, ...place }: Record<string, unknown>) {
  const approximate = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== null));
  return { type: "approximate", approximate };
}

function choiceOf(choice: NonNullable<ResponseRequest["tool_choice"]>): NonNullable<ToolFields["tool_choice"]> {
  if (typeof choice === "string") return choice;
  if (choice.type === "allowed_tools") {
    const tools = (choice.tools ?? []).map(({ type, name }) => ({
      type,
      ...(name === undefined ? {} : { function: { name } }),
    }));
    return { type: "allowed_tools", allowed_tools: { mode: choice.mode ?? "auto", tools } };
  }
  if (choice.type !== "function") throw refuseField("tool_choice.type", `${choice.type} cannot be chosen here.`);
  if (choice.name === undefined) throw refuseField("tool_choice.name", "is missing.");
  return { type: "function", function: { name: choice.name } };
}
