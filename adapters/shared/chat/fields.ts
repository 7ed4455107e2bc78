import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ChatMessage } from "../../../src/engine/api/message.ts";
import { extensionPaths } from "../../../src/engine/dialects/anthropic/extension.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import { type ModelRules, wordOf } from "./model-rules.ts";

/** What a translation knows of its target: who it is, and where to name what the target cannot honour. */
export interface Translation {
  readonly provider: string;
  readonly call: Pick<ProviderCall, "id" | "model" | "startedAt" | "used" | "warn">;
  /** What the configuration says that the model takes otherwise than this release says. */
  readonly rules?: ModelRules | undefined;
}

/** The model's word for an effort; `undefined` where the configuration has none. */
export function effortWord({ rules }: Pick<Translation, "rules">, effort: string | undefined): string | undefined {
  return wordOf(rules?.efforts, effort);
}

/** The same for a service tier. */
export function tierWord({ rules }: Pick<Translation, "rules">, tier: string | undefined): string | undefined {
  return wordOf(rules?.tiers, tier);
}

/** Fields that the gateway itself answers for. */
const ownFields = new Set(["model", "messages", "fallbacks", "stream"]);

/** Values that ask for what every target does anyway; a field that is not here always asks for something. */
const neutral = new Map<string, (value: unknown) => boolean>([
  ["frequency_penalty", (value) => value === 0],
  ["presence_penalty", (value) => value === 0],
  ["logprobs", (value) => value === false],
  ["top_logprobs", (value) => value === 0],
  ["logit_bias", isEmpty],
  ["metadata", isEmpty],
  ["modalities", (value) => Array.isArray(value) && value.every((entry) => entry === "text")],
  ["n", (value) => value === 1],
  ["parallel_tool_calls", (value) => value === true],
  ["store", (value) => value === false],
  ["stream_options", (value) => (value as { include_obfuscation?: unknown }).include_obfuscation !== true],
  ["tools", (value) => Array.isArray(value) && value.length === 0],
  ["truncation", (value) => value === "disabled"],
  ["verbosity", (value) => value === "medium"],
]);

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/**
 * Names in a warning every field that asks for something and is not in `honoured`: known or unknown, never in silence. Gives those that
 * the rules for the model call taken, to be sent as they are.
 */
export function warnOfRest(
  request: ChatRequest,
  honoured: ReadonlySet<string>,
  { provider, call, rules }: Translation,
): Record<string, unknown> | undefined {
  let taken: Record<string, unknown> | undefined;
  for (const [field, value] of Object.entries(request)) {
    if (value === undefined || value === null || ownFields.has(field) || honoured.has(field)) continue;
    if (rules?.parameters?.[field] === true) {
      taken = { ...taken, [field]: value };
      continue;
    }
    if (field === "anthropic")
      for (const path of extensionPaths(request)) call.warn(`\`${path}\` is not supported by ${provider}`);
    else if (neutral.get(field)?.(value) !== true) call.warn(`\`${field}\` is not supported by ${provider}`);
  }
  return taken;
}

/** What says that a tool failed where the vendor has no field for it; it stands before the result. */
export const failedTool = "The tool failed:";

/** Fields of a message that every translation looks at. */
const messageFields = new Set(
  "role content refusal audio reasoning reasoning_details tool_calls tool_call_id text_blocks".split(" "),
);

/**
 * Names in a warning every field of a message that says something and is not carried over, known or unknown. The name of a tool is
 * said by its call.
 */
export function warnOfMessage(
  message: ChatMessage,
  { path, provider, call }: Translation & { readonly path: string },
  carried: readonly string[] = [],
): void {
  for (const [field, value] of Object.entries(message)) {
    if (messageFields.has(field) || carried.includes(field) || (field === "name" && message.role === "tool")) continue;
    const saysNothing = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    if (!saysNothing) call.warn(`\`${path}.${field}\` is not supported by ${provider}`);
  }
}

/** The bound on output tokens: `max_completion_tokens`, or the older `max_tokens` that many clients still send. */
export function outputLimit(request: ChatRequest): number | undefined {
  if (request.max_completion_tokens !== undefined) return request.max_completion_tokens;
  const { max_tokens: older } = request;
  return typeof older === "number" && Number.isInteger(older) && older > 0 ? older : undefined;
}

/** `top_k`, which is no field of ours but one of most native interfaces. */
export function topK(request: ChatRequest): number | undefined {
  return typeof request.top_k === "number" ? request.top_k : undefined;
}

/** `stop` as a list, without sequences that are empty. */
export function stopSequences(request: ChatRequest): string[] {
  const { stop } = request;
  const requested = stop === undefined ? [] : typeof stop === "string" ? [stop] : stop;
  return requested.filter((sequence) => sequence !== "");
}

/** What the user says first where the conversation begins with the model or holds instructions only: some vendors refuse it then. */
export function opener({ provider, call }: Translation): string {
  call.warn(`\`messages\` get a first turn of the user: ${provider} takes no conversation without one`);
  return "Begin.";
}
