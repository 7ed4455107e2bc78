import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { Tool } from "../../../src/engine/api/tools.ts";
import { isReasoningModel } from "../../../src/engine/dialects/openai/responses-models.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { outputLimit } from "../chat/fields.ts";
import { leavingOut, type MediaRule } from "../fitting/media.ts";
import { type Warned, warnUnsupported } from "../openai-compatible/compatibility-profile.ts";
import { messagesToItems } from "./items.ts";

type ResponsesBody = Record<string, unknown>;

/** Fields that both interfaces have under one name. */
const shared = [
  "temperature",
  "top_p",
  "top_logprobs",
  "parallel_tool_calls",
  "metadata",
  "prompt_cache_key",
  "safety_identifier",
  "service_tier",
  "user",
  "truncation",
] as const;

/** Fields that are written in another way. */
const written: ReadonlySet<string> = new Set([
  ...shared,
  ..."model messages fallbacks stream stream_options tools tool_choice web_search_options response_format".split(" "),
  ..."reasoning reasoning_effort max_completion_tokens max_tokens verbosity logprobs store prompt_cache_retention".split(
    " ",
  ),
]);

/** Values that ask for what this interface does anyway. */
const neutral: Readonly<Record<string, unknown>> = { n: 1, frequency_penalty: 0, presence_penalty: 0 };

/** platform.openai.com, "Audio": of both interfaces only chat hears. */
const media: MediaRule = { distantImages: true, files: /./, distantFiles: true };

/** The body of `POST /responses` for a chat request; what the interface lacks is left out with a warning. */
export function chatToResponses(
  request: ChatRequest,
  model: string,
  to: Warned & { readonly isStream: boolean; readonly hasFallback?: boolean | undefined },
): ResponsesBody {
  const { provider } = to;
  const { messages } = leavingOut(request, media, { provider, call: to });
  const { verbosity, prompt_cache_retention: retention, store = false } = request;
  const format = formatToWire(request.response_format);
  const text = { ...(format === undefined ? {} : { format }), ...(verbosity && { verbosity }) };
  const limit = outputLimit(request);
  for (const [field, value] of Object.entries(request)) {
    if (written.has(field) || value === undefined || value === null || neutral[field] === value) continue;
    warnUnsupported(to, field);
  }
  return {
    model,
    input: messagesToItems(messages, to),
    store,
    ...Object.fromEntries(shared.flatMap((field) => (request[field] === undefined ? [] : [[field, request[field]]]))),
    ...toolsToWire(request, to),
    ...(Object.keys(text).length === 0 ? {} : { text }),
    ...(limit === undefined ? {} : { max_output_tokens: limit }),
    ...(retention === undefined ? {} : { prompt_cache_retention: retention === "24h" ? "24h" : "in_memory" }),
    ...reasoningToWire(request, to),
    ...includeToWire(request, model),
    ...(to.isStream ? { stream: true } : {}),
  };
}

function includeToWire({ logprobs }: ChatRequest, model: string): ResponsesBody {
  const include = [
    ...(isReasoningModel(model) ? ["reasoning.encrypted_content"] : []),
    ...(logprobs === true ? ["message.output_text.logprobs"] : []),
  ];
  return include.length === 0 ? {} : { include };
}

function reasoningToWire({ reasoning, reasoning_effort: older }: ChatRequest, to: Warned): ResponsesBody {
  const { effort = older, summary, enabled: _enabled, ...rest } = reasoning ?? {};
  for (const [field, value] of Object.entries(rest))
    if (value !== undefined && value !== null) warnUnsupported(to, `reasoning.${field}`);
  if (!effort && !summary) return {};
  return { reasoning: { ...(effort ? { effort } : {}), ...(summary ? { summary } : {}) } };
}

/** Lists of this interface say so where a function's schema is no strict one: it is strict here unless told. */
function toolsToWire(request: ChatRequest, to: Warned): ResponsesBody {
  const { tools = [], tool_choice: choice, web_search_options: search } = request;
  const list = tools.map((tool) => toolToWire(tool, to));
  if (search) list.push({ type: "web_search", ...searchToWire(search) });
  if (list.length === 0) return {};
  return { tools: list, ...(choice === undefined ? {} : { tool_choice: choiceToWire(choice) }) };
}

function toolToWire({ function: definition, custom, cache_control: mark }: Tool, to: Warned): ResponsesBody {
  if (mark !== undefined) warnUnsupported(to, "cache_control");
  if (definition !== undefined) {
    const { parameters, strict, ...rest } = definition;
    const schema = { type: "object", properties: {}, ...parameters };
    return { type: "function", ...rest, parameters: schema, strict: strict === true };
  }
  const { format, ...rest } = custom ?? {};
  const grammar = format?.grammar ? { type: "grammar", ...format.grammar } : format;
  return { type: "custom", ...rest, ...(grammar === undefined ? {} : { format: grammar }) };
}

function searchToWire({
  user_location: place,
  ...rest
}: NonNullable<ChatRequest["web_search_options"]>): ResponsesBody {
  return { ...rest, ...(place ? { user_location: { type: "approximate", ...place.approximate } } : {}) };
}

function choiceToWire(choice: NonNullable<ChatRequest["tool_choice"]>): unknown {
  if (typeof choice === "string") return choice;
  const { type, custom, function: named, allowed_tools: allowed } = choice;
  if (type === "any" || type === "required") return "required";
  if (type === "none") return "none";
  if (type === "allowed_tools") {
    const tools = (allowed?.tools ?? []).map(({ type: kind, function: fn, custom: own }) => ({
      type: kind,
      ...fn,
      ...asFields(own),
    }));
    return { type, mode: allowed?.mode ?? "auto", tools };
  }
  return { type, ...named, ...asFields(custom) };
}

function asFields(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function formatToWire(format: ChatRequest["response_format"]): unknown {
  if (format === undefined || format.type !== "json_schema") return format;
  return { type: "json_schema", ...asFields(format.json_schema) };
}
