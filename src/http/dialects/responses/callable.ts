import { inputOf } from "../../../engine/dialects/custom-tools.ts";
import { parseArguments } from "../../../engine/runtime/json/exact-json.ts";
import { type ClientToolName, clientItem, isClientTool, isClientToolName } from "./client-tools.ts";
import type { Item } from "./items.ts";
import type { ResponseRequest, ResponseTool } from "./schema.ts";

/** A tool as the caller sent it; its kind decides the form of its calls. */
export interface Callable {
  readonly kind: "function" | "custom" | "tool_search" | ClientToolName;
  readonly tool: ResponseTool;
  readonly namespace: string | undefined;
  /** Its path in the request, such as `tools.0`. */
  readonly path: string;
}

/** The tools that the model may call, by the names that are sent to it. */
export type Callables = ReadonlyMap<string, Callable>;

/** The name that is sent to the model: functions of a chat have no namespaces. */
export function flatName(name: string, namespace?: string | null): string {
  return namespace ? `${namespace}__${name}` : name;
}

/** The name of the tool search that the caller runs itself. */
export const toolSearch = "tool_search";

interface ListedTool {
  readonly tool: ResponseTool;
  readonly namespace?: string | undefined;
  readonly path: string;
}

/** Every tool of a request, those of namespaces one by one: of `tools`, and of the items of `input` that add more. */
export function listTools({ tools = [], input }: ResponseRequest): ListedTool[] {
  const added = (typeof input === "string" ? [] : input).flatMap((item, at) =>
    item.type === "additional_tools" || item.type === "tool_search_output"
      ? flattenTools(item.tools ?? [], `input.${at}.tools`)
      : [],
  );
  return [...flattenTools(tools, "tools"), ...added];
}

/** A namespace holds functions and custom tools; one inside another is not opened. */
function flattenTools(tools: readonly ResponseTool[], path: string): ListedTool[] {
  return tools.flatMap((tool, at): ListedTool[] => {
    const toolPath = `${path}.${at}`;
    if (tool.type !== "namespace") return [{ tool, path: toolPath }];
    const inner = tool.tools ?? [];
    return inner.map((each, index) => ({ tool: each, namespace: tool.name, path: `${toolPath}.tools.${index}` }));
  });
}

const kinds: ReadonlySet<string> = new Set<Callable["kind"]>(["function", "custom", "tool_search"]);

/** True for a tool whose calls the caller runs; the vendor runs the others. */
export function isCallable(tool: ResponseTool): boolean {
  return kinds.has(tool.type) || isClientTool(tool);
}

/** True for a kind of which each tool has a name of its own. */
export function isNamed(kind: Callable["kind"]): boolean {
  return kind === "function" || kind === "custom";
}

/** The tools whose calls the caller runs; of two with the same name the first. */
export function readCallables(parsed: ResponseRequest): Callables {
  const callables = new Map<string, Callable>();
  for (const { tool, namespace, path } of listTools(parsed)) {
    if (!isCallable(tool)) continue;
    const kind = tool.type as Callable["kind"]; // isCallable checked it
    const name = isNamed(kind) ? flatName(tool.name ?? "", namespace) : kind;
    if (!callables.has(name)) callables.set(name, { kind, tool, namespace, path });
  }
  return callables;
}

/** Turns a function call into a call of the tool that the caller sent. */
export function restoreCall(item: Item, callables: Callables): Item {
  const isCall = item.type === "function_call" || item.type === "custom_tool_call";
  const callable = isCall ? callables.get(`${item.name}`) : undefined;
  if (callable === undefined) return item;
  const { name: _name, arguments: text, ...rest } = item;
  const { kind, tool, namespace } = callable;
  const named = { name: tool.name, ...(namespace === undefined ? {} : { namespace }) };
  if (item.type === "custom_tool_call") return { ...item, ...named };
  if (kind === "custom") return { ...rest, type: "custom_tool_call", ...named, input: inputOf(`${text}`) };
  if (kind === "function") return { ...item, ...named };
  if (isClientToolName(kind)) return clientItem(kind, item, `${text}`);
  return { ...rest, type: "tool_search_call", execution: "client", arguments: parseArguments(`${text}`) ?? {} };
}
