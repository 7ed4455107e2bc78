import type { ChatRequest } from "../../../engine/api/chat.ts";
import type { Tool } from "../../../engine/api/tools.ts";
import { invalidRequest } from "../../../engine/dialects/refusals.ts";
import { isRecord } from "../../../engine/dialects/wire-values.ts";
import type { GatewayError } from "../../../engine/errors.ts";
import { parametersOf } from "../shared/parameters.ts";
import { type FieldPath, type Notes, warnOfRest, warnUnsupportedFields } from "../shared/translation-warnings.ts";
import { isCallable, isNamed, listTools, readCallables } from "./callable.ts";
import { definitionOf, isClientToolName } from "./client-tools.ts";
import type { ResponseRequest, ResponseTool } from "./schema.ts";

type ResponsesToolFields = Pick<ChatRequest, "tools" | "tool_choice" | "web_search_options">;

/** The notes of a translation, and the error for targets that have only chat, where it lost what the answer depends on. */
export interface ResponsesNotes extends Notes {
  refusal: GatewayError | undefined;
}

/** Tools as functions, the choice among them, and the vendor's web search as ours. */
export function readTools(parsed: ResponseRequest, notes: ResponsesNotes): ResponsesToolFields {
  const callables = readCallables(parsed);
  const { tool_choice: choice } = parsed;
  const functions = [...callables].map(([name, { kind, tool, path }], at) => {
    notes.origins.set(`tools.${at}`, path);
    if (tool.name === undefined && isNamed(kind)) throw invalidRequest(`${path}.name`, "is missing.");
    if (isClientToolName(kind)) return { type: "function" as const, function: definitionOf(kind) };
    return kind === "custom" ? readCustom(tool, name) : readFunction(tool, name, { notes, path: `${path}.` });
  });
  const fields: ResponsesToolFields = {};
  for (const { tool, path } of listTools(parsed))
    if (!isCallable(tool)) addHosted(fields, tool, { notes, path: `${path}.` });
  if (functions.length > 0)
    return { ...fields, tools: functions, ...(choice ? { tool_choice: choiceOf(choice, notes) } : {}) };
  if (choice === "none") return {};
  if (choice !== undefined && choice !== "auto")
    warnUnsupportedFields(notes, "tool_choice", "of a search is sent as auto");
  return fields;
}

/** A custom tool takes one text, perhaps of a grammar, which a chat has in an object of its own. */
function readCustom({ description, format }: ResponseTool, name: string): Tool {
  const { syntax, definition } = format ?? {};
  const grammar =
    definition === undefined ? {} : { format: { type: "grammar", grammar: { syntax: syntaxOf(syntax), definition } } };
  return { type: "custom", custom: { name, ...(description ? { description } : {}), ...grammar } };
}

function syntaxOf(syntax: string | undefined): "lark" | "regex" {
  return syntax === "regex" ? "regex" : "lark";
}

const functionFields = new Set(["type", "name", "description", "parameters", "strict", "execution", "output_schema"]);

function readFunction(tool: ResponseTool, name: string, field: FieldPath): Tool {
  const { description, parameters, strict } = tool;
  warnOfRest(tool, functionFields, field);
  const definition = {
    name,
    ...(description ? { description } : {}),
    ...(parameters ? { parameters: parametersOf(parameters) } : {}),
    ...(typeof strict === "boolean" ? { strict } : {}),
  };
  return { type: "function", function: definition };
}

const searchFields = new Set(["type", "search_context_size", "user_location"]);

/** The vendor's web search is ours; its other tools run at the vendor only. */
function addHosted(
  fields: ResponsesToolFields,
  tool: ResponseTool,
  field: FieldPath & { notes: ResponsesNotes },
): void {
  if (/^web_search(?:_preview)?(?:_[\d_]+)?$/.test(tool.type)) {
    fields.web_search_options = readSearch(tool, field);
    return;
  }
  const problem = `${tool.type} runs at its vendor only; send a function of your own.`;
  field.notes.refusal ??= invalidRequest(`${field.path}type`, problem);
}

function readSearch(tool: ResponseTool, field: FieldPath): NonNullable<ResponsesToolFields["web_search_options"]> {
  warnOfRest(tool, searchFields, field);
  const { search_context_size: size, user_location: located } = tool;
  return {
    ...(size === "low" || size === "medium" || size === "high" ? { search_context_size: size } : {}),
    ...(isRecord(located) ? { user_location: locationOf(located) } : {}),
  };
}

function locationOf({ type: _type, ...field }: Record<string, unknown>) {
  const approximate = Object.fromEntries(Object.entries(field).filter(([, value]) => value !== null));
  return { type: "approximate", approximate };
}

function choiceOf(
  choice: NonNullable<ResponseRequest["tool_choice"]>,
  notes: ResponsesNotes,
): NonNullable<ResponsesToolFields["tool_choice"]> {
  if (typeof choice === "string") return choice;
  if (choice.type === "allowed_tools") {
    const tools = (choice.tools ?? []).map(({ type, name }) => ({
      ...(isClientToolName(type) ? functionNamed(type) : { type }),
      ...(name === undefined ? {} : type === "custom" ? { custom: { name } } : { function: { name } }),
    }));
    return { type: "allowed_tools", allowed_tools: { mode: choice.mode ?? "auto", tools } };
  }
  if (choice.type === "custom" && choice.name !== undefined) return { type: "custom", custom: { name: choice.name } };
  if (isClientToolName(choice.type)) return functionNamed(choice.type);
  if (choice.type !== "function" && choice.type !== "custom") {
    notes.refusal ??= invalidRequest("tool_choice.type", `${choice.type} cannot be chosen here.`);
    return "auto";
  }
  if (choice.name === undefined) throw invalidRequest("tool_choice.name", "is missing.");
  return functionNamed(choice.name);
}

function functionNamed(name: string) {
  return { type: "function" as const, function: { name } };
}
