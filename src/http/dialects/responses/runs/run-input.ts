import { isRecord } from "../../../../engine/dialects/wire-values.ts";
import { GatewayError } from "../../../../engine/errors.ts";
import { publicNames } from "../../../../engine/pipeline/tools/tool-names.ts";

type SentItem = Record<string, unknown>;

/** What a conversation holds of earlier runs, in items that every model reads. */
export interface RunInput {
  readonly input: unknown;
  /** Servers whose tools the conversation lists already. */
  readonly listed: ReadonlySet<string>;
}

/**
 * Items of MCP servers as calls of functions with their results. A request for approval that was granted is a call without a result, which
 * the run makes. Throws `invalid_request` for one that was not decided.
 */
export function readRunInput(input: unknown): RunInput {
  if (!Array.isArray(input)) return { input, listed: new Set() };
  const items = input.filter(isRecord);
  const decided = new Set(items.flatMap((item) => decisionOf(item) ?? []));
  const listed = items.flatMap(({ type, server_label: label }) => (type === "mcp_list_tools" ? [String(label)] : []));
  const plain = input.flatMap((item, at) => (isRecord(item) ? plainItems(item, decided, `input.${at}`) : [item]));
  return { input: plain, listed: new Set(listed) };
}

/** The request for approval that an item decides, or that the result in it belongs to. */
function decisionOf({ type, approval_request_id: id }: SentItem): string | undefined {
  return (type === "mcp_approval_response" || type === "mcp_call") && typeof id === "string" ? id : undefined;
}

function plainItems(item: SentItem, decided: ReadonlySet<string>, path: string): unknown[] {
  switch (item.type) {
    case "mcp_list_tools":
      return [];
    case "mcp_approval_request":
      if (decided.has(String(item.id))) return [callOf(item, String(item.id))];
      throw invalid(path, "is a request for approval without an `mcp_approval_response`");
    case "mcp_approval_response":
      return item.approve === true ? [] : [outputOf(String(item.approval_request_id), refusalOf(item))];
    case "mcp_call": {
      const id = typeof item.approval_request_id === "string" ? item.approval_request_id : String(item.id);
      const output = typeof item.output === "string" ? item.output : JSON.stringify(item.error ?? "");
      return id === item.approval_request_id ? [outputOf(id, output)] : [callOf(item, id), outputOf(id, output)];
    }
    default:
      return [item];
  }
}

function callOf({ server_label: label, name, arguments: text }: SentItem, call_id: string): object {
  const [shown] = publicNames(String(label), [String(name)]).keys();
  return { type: "function_call", call_id, name: shown ?? String(name), arguments: String(text ?? "{}") };
}

function outputOf(call_id: string, output: string): object {
  return { type: "function_call_output", call_id, output };
}

function refusalOf({ reason }: SentItem): string {
  return `The call was refused.${typeof reason === "string" && reason !== "" ? ` ${reason}` : ""}`;
}

function invalid(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\` ${problem}.`, { param });
}
