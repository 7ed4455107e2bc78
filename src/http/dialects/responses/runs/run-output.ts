import type { CallableTool } from "../../../../engine/pipeline/tools/described-tools.ts";
import type { ToolRunCall, ToolRunResult, ToolRunTurn } from "../../../../engine/pipeline/tools/run/tool-run.ts";

/** An item of a response's output. */
export interface RunItem {
  readonly id: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The output of a run: lists of tools that are new to the conversation, what the turns said and called, and the items of the last answer. */
export function outputOfRun(
  { turns, tools }: Pick<ToolRunResult, "turns" | "tools">,
  last: readonly RunItem[],
  { id, listed }: { readonly id: string; readonly listed: ReadonlySet<string> },
): RunItem[] {
  const labels = [...new Set(tools.map(({ server }) => server))].filter((label) => !listed.has(label));
  const own = new Set(tools.map(({ name }) => name));
  const ofLast = last.filter(({ type, name }) => type !== "function_call" || !own.has(String(name)));
  const earlier = turns.slice(0, -1).flatMap((turn, at) => [...textOf(turn, `msg_${id}_turn_${at}`), ...callsOf(turn)]);
  const [final] = turns.slice(-1);
  return [
    ...labels.map((label) => listOf(label, tools, `mcpl_${id}_${label}`)),
    ...earlier,
    ...ofLast,
    ...(final ? callsOf(final) : []),
  ];
}

function listOf(label: string, tools: readonly CallableTool[], id: string): RunItem {
  const listed = tools
    .filter(({ server }) => server === label)
    .map(({ tool: name, description = null, inputSchema: input_schema, annotations = null }) => {
      return { name, description, input_schema, annotations };
    });
  return { id, type: "mcp_list_tools", server_label: label, tools: listed, error: null };
}

function textOf({ text }: ToolRunTurn, id: string): RunItem[] {
  if (text === undefined) return [];
  const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
  return [{ id, type: "message", status: "completed", role: "assistant", content }];
}

const approval = "mcpr_";

function callsOf({ calls }: ToolRunTurn): RunItem[] {
  return calls.flatMap((call) => {
    if (call.outcome !== "left") return [madeCall(call)];
    const { server: server_label, tool: name, arguments: text } = call;
    if (server_label === undefined) return []; // a function of the caller's
    return [{ id: approval + bare(call), type: "mcp_approval_request", server_label, name, arguments: text }];
  });
}

function madeCall(call: ToolRunCall): RunItem {
  const { name, server = "", tool = name, arguments: text, outcome, output = "" } = call;
  const isAnswered = outcome === "answered";
  return {
    id: `mcp_${bare(call)}`,
    type: "mcp_call",
    server_label: server,
    name: tool,
    arguments: text,
    status: isAnswered ? "completed" : "failed",
    output: isAnswered ? output : null,
    error: isAnswered ? null : { type: "mcp_tool_execution_error", content: [{ type: "text", text: output }] },
    approval_request_id: call.id.startsWith(approval) ? call.id : null,
  };
}

function bare({ id }: ToolRunCall): string {
  return id.startsWith(approval) ? id.slice(approval.length) : id;
}
