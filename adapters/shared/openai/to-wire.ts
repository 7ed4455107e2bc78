import type { ChatRequest } from "../../../src/api/chat.ts";
import { type Addressee, type Warned, warnUnsupported } from "./dialect.ts";
import { messagesToWire, withoutCacheControl } from "./messages.ts";
import { reasoningToWire } from "./reasoning.ts";
import { withFlatLocation } from "./web-search.ts";

/** A vendor's request body. */
export type WireBody = Record<string, unknown>;

/** What of a request a vendor does not take, or calls otherwise. */
export interface FieldRules {
  readonly unsupported?: readonly string[] | undefined;
  readonly renamed?: Readonly<Record<string, string>> | undefined;
}

/** The body of `POST /chat/completions` in the addressee's dialect; unknown fields go along untouched, the request stays as it is. */
export function chatToWire(request: ChatRequest, model: string, to: Addressee & { isStream: boolean }): WireBody {
  const { fallbacks: _f, model: _m, stream: _s, stream_options, reasoning, messages, ...rest } = request;
  const { dialect } = to;
  const fields = copyFields(rest, to, rulesFor(model, to));
  const wire: WireBody = { model, messages: messagesToWire(messages, to), ...fields };
  if (reasoning) Object.assign(wire, reasoningToWire(reasoning, to));
  if (wire.prompt_cache_retention === "in-memory") wire.prompt_cache_retention = "in_memory"; // the specification's word, and the vendors'
  if (wire.tool_choice !== undefined) wire.tool_choice = toolChoiceToWire(request.tool_choice);
  if (wire.tools !== undefined && !dialect.keepsCacheControl) wire.tools = toolsToWire(request.tools, to);
  if (dialect.hasFlatLocation && request.web_search_options)
    wire.web_search_options = withFlatLocation(request.web_search_options, to);
  if (dialect.countsLogprobs) countLogprobs(wire, request);
  if (to.isStream) addStreamFields(wire, stream_options, to);
  return wire;
}

function rulesFor(model: string, { dialect }: Addressee): FieldRules {
  const { unsupported = [], unsupportedBy, renamed = {} } = dialect;
  if (!unsupportedBy?.models.test(model)) return { unsupported, renamed };
  return { unsupported: [...unsupported, ...unsupportedBy.fields], renamed };
}

/** The fields as the vendor takes them; those that it does not are left out with a warning. */
export function copyFields(fields: WireBody, to: Warned, { unsupported, renamed }: FieldRules): WireBody {
  const copy: WireBody = {};
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (!unsupported?.includes(field)) copy[renamed?.[field] ?? field] = value;
    else if (value !== null) warnUnsupported(to, field);
  }
  return copy;
}

/** Our object form of `none`, `any` and `required` is a plain word in OpenAI's dialect. */
function toolChoiceToWire(choice: ChatRequest["tool_choice"]): unknown {
  if (typeof choice !== "object" || choice === null) return choice;
  if (choice.type === "any" || choice.type === "required") return "required";
  return choice.type === "none" ? "none" : choice;
}

function toolsToWire(tools: ChatRequest["tools"], to: Addressee): unknown {
  if (!tools?.some((tool) => tool.cache_control !== undefined)) return tools;
  return tools.map((tool) => withoutCacheControl(tool, to));
}

function countLogprobs(wire: WireBody, { logprobs, top_logprobs }: ChatRequest): void {
  if (logprobs === undefined && top_logprobs === undefined) return;
  delete wire.top_logprobs;
  delete wire.logprobs;
  if (logprobs !== false) wire.logprobs = Math.max(1, top_logprobs ?? 1);
}

function addStreamFields(wire: WireBody, options: ChatRequest["stream_options"], to: Addressee): void {
  wire.stream = true;
  const { streamOptions } = to.dialect;
  if (streamOptions === "all") {
    wire.stream_options = { ...options, include_usage: true };
    return;
  }
  if (options?.include_obfuscation !== undefined) warnUnsupported(to, "stream_options.include_obfuscation");
  if (streamOptions === "usage") wire.stream_options = { include_usage: true };
}
