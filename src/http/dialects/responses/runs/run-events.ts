import { isRecord } from "../../../../engine/dialects/wire-values.ts";
import { toEvent } from "../../../response/sse.ts";
import type { RunItem } from "./run-output.ts";

type EventFrame = (type: string, fields: object) => string;

/** A response that is whole as the events of a stream, `response.created` to `response.completed`. */
export function* eventsOfResponse(response: Readonly<Record<string, unknown>>): Generator<string> {
  let sequence = 0;
  const frame: EventFrame = (type, fields) => toEvent(type, { type, sequence_number: sequence++, ...fields });
  const { usage: _usage, ...rest } = response;
  const begun = { ...rest, status: "in_progress", output: [], incomplete_details: null };
  yield frame("response.created", { response: begun });
  yield frame("response.in_progress", { response: begun });
  for (const [output_index, item] of (response.output as readonly RunItem[]).entries())
    yield* eventsOfItem(item, { output_index, item_id: item.id }, frame);
  yield frame(`response.${String(response.status)}`, { response });
}

interface ItemPosition {
  readonly output_index: number;
  readonly item_id: string;
}

function* eventsOfItem(item: RunItem, at: ItemPosition, frame: EventFrame): Generator<string> {
  const { output_index } = at;
  yield frame("response.output_item.added", { output_index, item: openOf(item) });
  if (item.type === "message") yield* eventsOfMessage(item, at, frame);
  else if (item.type === "function_call") yield* eventsOfArguments(item, at, { frame, kind: "function_call" });
  else if (item.type === "mcp_list_tools") {
    yield frame("response.mcp_list_tools.in_progress", at);
    yield frame("response.mcp_list_tools.completed", at);
  } else if (item.type === "mcp_call") {
    yield frame("response.mcp_call.in_progress", at);
    yield* eventsOfArguments(item, at, { frame, kind: "mcp_call" });
    yield frame(`response.mcp_call.${item.status === "completed" ? "completed" : "failed"}`, at);
  }
  yield frame("response.output_item.done", { output_index, item });
}

/** An item as it is when it begins. */
function openOf(item: RunItem): RunItem {
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  if (item.type === "mcp_list_tools") return { ...item, tools: [] };
  if (item.type === "mcp_call") return { ...item, status: "in_progress", arguments: "", output: null, error: null };
  return item.type === "function_call" ? { ...item, status: "in_progress", arguments: "" } : item;
}

function* eventsOfMessage({ content }: RunItem, at: ItemPosition, frame: EventFrame): Generator<string> {
  for (const [content_index, part] of (Array.isArray(content) ? content : []).filter(isRecord).entries()) {
    const where = { ...at, content_index };
    const isText = part.type === "output_text";
    const text = String((isText ? part.text : part.refusal) ?? "");
    const name = isText ? "output_text" : "refusal";
    const empty = isText ? { ...part, text: "", annotations: [], logprobs: [] } : { ...part, refusal: "" };
    const extra = isText ? { logprobs: part.logprobs ?? [] } : {};
    yield frame("response.content_part.added", { ...where, part: empty });
    yield frame(`response.${name}.delta`, { ...where, delta: text, ...extra });
    yield frame(`response.${name}.done`, { ...where, ...(isText ? { text, ...extra } : { refusal: text }) });
    yield frame("response.content_part.done", { ...where, part });
  }
}

interface ArgumentsKind {
  readonly frame: EventFrame;
  readonly kind: "function_call" | "mcp_call";
}

function* eventsOfArguments(item: RunItem, at: ItemPosition, { frame, kind }: ArgumentsKind): Generator<string> {
  const name = kind === "function_call" ? { name: item.name } : {};
  yield frame(`response.${kind}_arguments.delta`, { ...at, delta: item.arguments });
  yield frame(`response.${kind}_arguments.done`, { ...at, ...name, arguments: item.arguments });
}
