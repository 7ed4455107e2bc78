import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { Usage } from "../engine/api/usage.ts";

/** Our counts as the AI SDK has them; cached tokens are inside the total there, too. */
export function toSdkUsage(usage: Usage | undefined): LanguageModelV4Usage {
  if (!usage) return { inputTokens: { ...noInput }, outputTokens: { ...noOutput } };
  const { prompt_tokens: input, completion_tokens: output } = usage;
  const { cached_read_tokens: read = 0, cached_write_tokens: write = 0 } = usage.prompt_tokens_details ?? {};
  const { reasoning_tokens: reasoning } = usage.completion_tokens_details ?? {};
  return {
    inputTokens: { total: input, noCache: Math.max(0, input - read - write), cacheRead: read, cacheWrite: write },
    outputTokens: { total: output, text: Math.max(0, output - (reasoning ?? 0)), reasoning },
    raw: usage as NonNullable<LanguageModelV4Usage["raw"]>,
  };
}

const noInput = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
const noOutput = { total: undefined, text: undefined, reasoning: undefined };

/** The AI SDK's counts as ours; `undefined` where the model reported none. */
export function fromSdkUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  const prompt = inputTokens.total ?? 0;
  const completion = outputTokens.total ?? 0;
  const cached = provided({ cached_read_tokens: inputTokens.cacheRead, cached_write_tokens: inputTokens.cacheWrite });
  const details = provided({ reasoning_tokens: outputTokens.reasoning });
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached ? { prompt_tokens_details: cached } : {}),
    ...(details ? { completion_tokens_details: details } : {}),
  };
}

function provided(counts: Record<string, number | undefined>): Record<string, number> | undefined {
  const known = Object.entries(counts).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

const unified = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
} as const;

/** Why an answer ended, as the AI SDK says it. */
export function toSdkFinish(reason: string | null | undefined): LanguageModelV4FinishReason {
  const raw = reason ?? undefined;
  return { unified: unified[raw as keyof typeof unified] ?? "other", raw };
}

/** Why an answer ended, as we say it. */
export function fromSdkFinish({ unified: reason, raw }: LanguageModelV4FinishReason): string {
  if (reason === "tool-calls") return "tool_calls";
  if (reason === "content-filter") return "content_filter";
  return reason === "stop" || reason === "length" ? reason : (raw ?? reason);
}
