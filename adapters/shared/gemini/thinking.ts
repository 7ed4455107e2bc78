import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import { effortWord, type Translation } from "../chat/fields.ts";
import { type Effort, type RequestedReasoning, requestedReasoning } from "../chat/reasoning.ts";
import type { GeminiTraits } from "./traits.ts";
import type { ThinkingConfig } from "./wire.ts";

interface GeminiThinkingContext extends Translation {
  readonly traits: GeminiTraits;
}

/** Tokens that each effort is worth where thinking is counted, as the vendor's own OpenAI dialect has it. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** Least budget of the models that always think. */
const leastBudget = 128;

const levels = {
  none: "LOW",
  minimal: "LOW",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  xhigh: "HIGH",
  max: "HIGH",
} as const;

/** How a request asks for thinking; `undefined` leaves the model to its default. */
export function planThinking(request: ChatRequest, context: GeminiThinkingContext): ThinkingConfig | undefined {
  const requested = requestedReasoning(request, context);
  if (requested === undefined) return undefined;
  const { traits, call } = context;
  const word = effortWord(context, requested.effort);
  if (word !== undefined) return byRule(requested, word, context);
  if (traits.thinking === "none") {
    if (requested.effort !== "none") call.warn(`\`${requested.field}\` is not supported by ${call.model}`);
    return undefined;
  }
  const includeThoughts = requested.isExcluded || requested.effort === "none" ? undefined : true;
  if (requested.maxTokens !== undefined) return { thinkingBudget: requested.maxTokens, includeThoughts };
  if (requested.effort === undefined) return { includeThoughts };
  const amount =
    traits.thinking === "budget"
      ? budgetOf(requested.effort, requested, context)
      : levelOf(requested.effort, requested, context);
  return { ...amount, includeThoughts };
}

/** A number is a budget of tokens, anything else a level, whatever form this release takes the model to have. */
function byRule(
  { effort, isExcluded, field }: RequestedReasoning,
  word: string,
  { call }: GeminiThinkingContext,
): ThinkingConfig {
  if (word !== effort) call.warn(`\`${field}\` ${effort} is sent to ${call.model} as ${word}`);
  const includeThoughts = isExcluded ? undefined : true;
  if (/^\d+$/.test(word)) return { thinkingBudget: Number(word), includeThoughts };
  return { thinkingLevel: word.toUpperCase(), includeThoughts };
}

function budgetOf(
  effort: Effort,
  { field }: RequestedReasoning,
  { traits, call }: GeminiThinkingContext,
): ThinkingConfig {
  if (effort === "none" && !traits.canStopThinking) {
    call.warn(`\`${field}\` none: ${call.model} always thinks, its budget is ${leastBudget}`);
    return { thinkingBudget: leastBudget };
  }
  return { thinkingBudget: budgets[effort] };
}

function levelOf(
  effort: Effort,
  { field }: RequestedReasoning,
  { traits, call }: GeminiThinkingContext,
): ThinkingConfig {
  const isLeast = effort === "none" || effort === "minimal";
  const level = isLeast && traits.hasMinimal ? "MINIMAL" : levels[effort];
  if (level.toLowerCase() !== effort)
    call.warn(`\`${field}\` ${effort} is sent to ${call.model} as ${level.toLowerCase()}`);
  return { thinkingLevel: level };
}
