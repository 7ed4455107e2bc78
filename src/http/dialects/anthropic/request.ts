import type { ChatRequest } from "../../../engine/api/chat.ts";
import { parserOf } from "../../../engine/pipeline/call/parse.ts";
import { schemaFormat } from "../shared/strict.ts";
import { type Notes, newNotes } from "../shared/translation-warnings.ts";
import { warnOfUnknown } from "../shared/unknown.ts";
import type { MessageForm } from "./answer.ts";
import { readConversation } from "./conversation.ts";
import { AnthropicRequest, AnthropicTool, OwnBlock } from "./schema.ts";
import { readTools } from "./tools.ts";

/** A request of the Messages API in our form. */
export interface TranslatedMessages {
  readonly request: ChatRequest;
  readonly notes: Notes;
  readonly isStream: boolean;
  readonly form: MessageForm;
}

const parse = parserOf(AnthropicRequest);
const elsewhere = new Set<unknown>([AnthropicTool, OwnBlock]);

const origins = {
  max_completion_tokens: "max_tokens",
  stop: "stop_sequences",
  reasoning: "thinking",
  "reasoning.effort": "output_config.effort",
  reasoning_effort: "output_config.effort",
  "reasoning.max_tokens": "thinking.budget_tokens",
  response_format: "output_config.format",
  user: "metadata.user_id",
  parallel_tool_calls: "tool_choice.disable_parallel_tool_use",
  stream_options: "stream",
  "anthropic.betas": "anthropic-beta",
};

/** Reads the body of `POST /v1/messages` and its `anthropic-beta`; throws `invalid_request` with the vendor's name of the field. */
export function readRequest(body: unknown, beta?: string): TranslatedMessages {
  const parsed = parse(body);
  const notes = newNotes(origins);
  warnOfUnknown(AnthropicRequest, parsed, { notes, path: "", elsewhere });
  const { stop_sequences: stop, metadata, fallbacks, service_tier: tier, stream } = parsed;
  const request: ChatRequest = {
    ...sampling(parsed),
    model: parsed.model,
    messages: readConversation(parsed, notes),
    ...addBetas(readTools(parsed, notes), beta),
    ...readThinking(parsed),
    ...readFormat(parsed),
    ...(stop === undefined || stop.length === 0 ? {} : { stop }),
    ...(metadata?.user_id ? { user: metadata.user_id } : {}),
    ...(tier === undefined ? {} : { service_tier: tier === "auto" ? "auto" : "default" }),
    ...(fallbacks === undefined ? {} : { fallbacks }),
    ...(stream === true ? { stream_options: { include_usage: true } } : {}),
  };
  const form = { showsThoughts: readsThoughts(parsed), stops: stop ?? [] };
  return { request, notes, isStream: stream === true, form };
}

/** True for a client that asks for thinking, or that says nothing of it and sends thinking back: it has read some before. */
function readsThoughts({ thinking, messages }: AnthropicRequest): boolean {
  if (thinking) return thinking.type !== "disabled";
  return messages.some(({ content }) => typeof content !== "string" && content.some(isThinking));
}

function isThinking({ type }: { readonly type: string }): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** The features that a caller turns on by header, once each. */
function addBetas(fields: Pick<ChatRequest, "anthropic">, header = ""): Pick<ChatRequest, "anthropic"> {
  const betas = [...new Set(header.split(",").map((beta) => beta.trim()))].filter((beta) => beta !== "");
  return betas.length === 0 ? fields : { ...fields, anthropic: { ...fields.anthropic, betas } };
}

function sampling({ max_tokens, temperature, top_p, top_k }: AnthropicRequest): Partial<ChatRequest> {
  return {
    ...(max_tokens === undefined ? {} : { max_completion_tokens: max_tokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(top_p === undefined ? {} : { top_p }),
    ...(top_k === undefined ? {} : { top_k }),
  };
}

type ReasoningSettings = NonNullable<ChatRequest["reasoning"]>;

function readThinking({
  thinking,
  output_config,
}: AnthropicRequest): Partial<Pick<ChatRequest, "reasoning" | "reasoning_effort">> {
  if (thinking?.type === "disabled" || thinking?.type === "between_tools") return { reasoning: { effort: "none" } };
  const effort = output_config?.effort ?? undefined;
  if (thinking === undefined && effort === undefined) return {};
  const { type, budget_tokens: budget } = thinking ?? {};
  const reasoning: ReasoningSettings = {
    ...(effort === undefined || effort === "max" ? {} : { effort }),
    ...(type === "enabled" && budget !== undefined ? { max_tokens: budget } : {}),
    ...(thinking?.display === "omitted" ? { exclude: true } : {}),
  };
  if (effort === "max") {
    const settings = Object.keys(reasoning).length === 0 ? {} : { reasoning };
    return { ...settings, reasoning_effort: effort };
  }
  return { reasoning: reasoning.effort || reasoning.max_tokens ? reasoning : { ...reasoning, enabled: true } };
}

function readFormat({ output_config, output_format }: AnthropicRequest): Pick<ChatRequest, "response_format"> {
  const format = output_config?.format ?? output_format;
  return format ? { response_format: schemaFormat(format.schema) } : {};
}
