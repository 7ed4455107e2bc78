import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { Tool } from "../../../src/engine/api/tools.ts";
import { invalidRequest, unsupported } from "../../../src/engine/dialects/refusals.ts";

/** A tool of type `function`. */
export type FunctionTool = NonNullable<Tool["function"]>;

/** What the caller said of tools, in one form. */
interface Offer {
  readonly tools: readonly FunctionTool[];
  readonly mode: "none" | "auto" | "required";
}

/**
 * The tools that the echo calls, in order: a tool named by `tool_choice`; else those that the words name, if any; else the first, when a
 * call is required. Only one where `parallel_tool_calls` is false. Throws `invalid_request` when `tool_choice` asks for what is not there.
 */
export function chooseTools(request: ChatRequest, words: string, hasResults: boolean): readonly FunctionTool[] {
  const { tools, mode } = readOffer(request);
  if (mode === "none" || (mode === "auto" && hasResults)) return [];
  const named = findNamed(tools, words);
  const chosen = named.length === 0 && mode === "required" ? tools.slice(0, 1) : named;
  return request.parallel_tool_calls === false ? chosen.slice(0, 1) : chosen;
}

function readOffer({ tools = [], tool_choice: choice = "auto" }: ChatRequest): Offer {
  const functions = tools.flatMap((tool) => tool.function ?? []);
  if (choice === "none" || choice === "auto") return { tools: functions, mode: choice };
  if (choice === "required") return requireSome({ tools: functions, mode: choice });
  const { type, function: named, allowed_tools: allowed } = choice;
  if (type === "none") return { tools: [], mode: type };
  if (type === "custom") throw unsupported("tool_choice", "names a custom tool, which this provider does not call");
  if (type === "allowed_tools") {
    const names = (allowed?.tools ?? []).flatMap((tool) => tool.function?.name ?? []);
    const offer = { tools: pickByName(functions, names), mode: allowed?.mode ?? "auto" };
    return offer.mode === "required" ? requireSome(offer) : offer;
  }
  const filters = named === undefined ? functions : pickByName(functions, [named.name]);
  return requireSome({ tools: filters, mode: "required" });
}

function requireSome(offer: Offer): Offer {
  if (offer.tools.length === 0)
    throw invalidRequest("tool_choice", "requires a call, and `tools` holds no tool for it");
  return offer;
}

function pickByName(tools: readonly FunctionTool[], names: readonly string[]): FunctionTool[] {
  return names.map((name) => {
    const found = tools.find((tool) => tool.name === name);
    if (found === undefined) throw invalidRequest("tool_choice", `names \`${name}\`, which is not in \`tools\``);
    return found;
  });
}

/** The tools whose names stand in the words, in the order of the words: `get_weather` and `getWeather` are found in "get weather" too. */
function findNamed(tools: readonly FunctionTool[], words: string): FunctionTool[] {
  if (tools.length === 0) return [];
  const text = ` ${spell(words)} `;
  return tools
    .map((tool) => ({ tool, position: text.indexOf(` ${spell(tool.name)} `) }))
    .filter(({ position }) => position !== -1)
    .sort((a, b) => a.position - b.position)
    .map(({ tool }) => tool);
}

/** Words in lower case with single spaces, whatever joined them. */
function spell(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
