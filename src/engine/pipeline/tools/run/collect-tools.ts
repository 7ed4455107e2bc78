import { z } from "zod";
import { longestToolName, ToolServerName } from "../../../api/mcp/access.ts";
import type { Tool } from "../../../api/tools.ts";
import { GatewayError } from "../../../errors.ts";
import { isMeant } from "../../../policy/tools/pattern.ts";
import { parserOf } from "../../call/parse.ts";
import type { CallableTool } from "../described-tools.ts";
import type { ToolListing, ToolListOptions } from "../list-tools.ts";
import type { RunParts } from "./run-parts.ts";
import type { LocalTool, ServerTools, ToolRunRequest } from "./tool-run.ts";

/** What stands behind a name that the model may call. */
export type RunTool =
  | { readonly kind: "local"; readonly tool: LocalTool }
  | { readonly kind: "mcp"; readonly tool: CallableTool }
  /** The caller answers its calls. */
  | { readonly kind: "caller" };

/** The tools of a run. */
export interface RunTools {
  readonly byName: ReadonlyMap<string, RunTool>;
  /** As the model receives them. */
  readonly definitions: readonly Tool[];
  readonly listed: readonly CallableTool[];
  readonly unavailable: ToolListing["unavailable"];
}

const LocalToolShape = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, `_` and `-`"),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
  run: z.custom<LocalTool["run"]>((value) => typeof value === "function", "must be a function"),
});

/** The verb checks the rest of it. */
const WireTool = z.looseObject({ type: z.enum(["function", "custom"]) });

const Selection = z.union([
  z.string().min(1).max(longestToolName),
  z.strictObject({
    server: ToolServerName,
    tools: z.array(z.string()).max(1_000).nullish(),
    read_only: z.boolean().optional(),
  }),
]);

const readSelections = parserOf(z.looseObject({ mcp: z.array(Selection).max(100).default([]) }));
const readLocal = parserOf(
  z.looseObject({
    tools: z
      .array(z.union([LocalToolShape, WireTool]))
      .max(1_000)
      .default([]),
  }),
);

/** Finds the tools of a run. Throws `invalid_request` for a selection that means no tool that the key may call, and for a name given twice. */
export async function collectTools(
  { mcp }: Pick<RunParts, "mcp">,
  { tools, mcp: selected }: Pick<ToolRunRequest, "tools" | "mcp">,
  reader: ToolListOptions,
): Promise<RunTools> {
  const { mcp: selections } = readSelections({ mcp: selected ?? [] });
  const own = readLocal({ tools: tools ?? [] }).tools as readonly (LocalTool | Tool)[];
  const found = selections.length === 0 ? nothing : await mcp.tools(reader);
  if (reader.signal?.aborted) throw reader.signal.reason; // a list that was not waited for is no list
  for (const [at, selection] of selections.entries()) checkSelection(selection as ServerTools | string, at, found);
  const listed = found.tools.filter((tool) =>
    selections.some((each) => isSelected(each as ServerTools | string, tool)),
  );
  const entries: [string, RunTool, Tool][] = [
    ...own.map((tool): [string, RunTool, Tool] =>
      isLocal(tool)
        ? [tool.name, { kind: "local", tool }, definitionOf(tool)]
        : [nameOf(tool), { kind: "caller" }, tool],
    ),
    ...listed.map((tool): [string, RunTool, Tool] => [
      tool.name,
      { kind: "mcp", tool },
      definitionOf({ ...tool, parameters: tool.inputSchema }),
    ]),
  ];
  const byName = new Map<string, RunTool>();
  for (const [at, [name, tool]] of entries.entries()) {
    if (byName.has(name)) throw invalid(`tools.${Math.min(at, own.length - 1)}.name`, `\`${name}\` is there twice`);
    byName.set(name, tool);
  }
  return { byName, definitions: entries.map(([, , tool]) => tool), listed, unavailable: found.unavailable };
}

const nothing: ToolListing = { tools: [], unavailable: [] };

function isSelected(selection: ServerTools | string, { name, server, tool, annotations }: CallableTool): boolean {
  if (typeof selection === "string") return isMeant(selection, name);
  const { tools, read_only: isReadOnly } = selection;
  if (server !== selection.server || (tools && !tools.includes(tool))) return false;
  return isReadOnly !== true || annotations?.readOnlyHint === true;
}

/** What means nothing is a mistake, unless its server cannot be asked. */
function checkSelection(selection: ServerTools | string, at: number, { tools, unavailable }: ToolListing): void {
  if (tools.some((tool) => isSelected(selection, tool))) return;
  const param = `mcp.${at}`;
  const isOf = (server: string) =>
    typeof selection === "string" ? selection.startsWith(`${server}__`) : selection.server === server;
  const lost = unavailable.find(({ server }) => isOf(server));
  if (lost) throw new GatewayError("upstream_unreachable", lost.message, { param });
  throw invalid(param, "means no tool of a configured server that may be called");
}

function isLocal(tool: LocalTool | Tool): tool is LocalTool {
  return typeof tool.run === "function";
}

function nameOf({ function: named, custom }: Tool): string {
  return named?.name ?? String((custom as { readonly name?: unknown } | undefined)?.name ?? "");
}

function definitionOf({ name, description, parameters }: Pick<LocalTool, "name" | "description" | "parameters">): Tool {
  const described = description === undefined ? {} : { description };
  return {
    type: "function",
    function: { name, ...described, parameters: parameters ?? { type: "object", properties: {} } },
  };
}

function invalid(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\` ${problem}.`, { param });
}
