import type { ChatRequest } from "../api/chat.ts";
import type { Tool } from "../api/tools.ts";

/**
 * The same request in an order that does not change from call to call: tools by name, the fields of tools and of the response format
 * sorted. Providers recognise a prompt that they have read before by its beginning, where the tools are; an object built in another
 * order would be another prompt. Tools that carry a `cache_control` mark stay where the caller put them, since a mark means all before it.
 */
export function stabilise(request: ChatRequest): ChatRequest {
  const { tools, response_format } = request;
  if (!tools && !response_format) return request;
  return {
    ...request,
    ...(tools ? { tools: orderTools(tools).map(sortFields) } : {}),
    ...(response_format ? { response_format: sortFields(response_format) } : {}),
  };
}

function orderTools(tools: readonly Tool[]): readonly Tool[] {
  if (tools.some(({ cache_control }) => cache_control !== undefined)) return tools;
  return [...tools].sort((a, b) => compare(nameOf(a), nameOf(b)));
}

function nameOf({ function: called, custom }: Tool): string {
  const name = called?.name ?? custom?.name;
  return typeof name === "string" ? name : "";
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The value with the fields of every object in it sorted; lists keep their order, which means something. */
function sortFields<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(sortFields) as Value; // as many of the same
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).sort(([one], [other]) => compare(one, other));
  return Object.fromEntries(fields.map(([name, field]) => [name, sortFields(field)])) as Value; // the same fields
}
