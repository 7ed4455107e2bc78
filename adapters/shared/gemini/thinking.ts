import type { ChatRequest } from "../../../src/api/chat.ts";
import type { Translation } from "../chat/fields.ts";
import { type AskedReasoning, askedReasoning, type Effort } from "../chat/reasoning.ts";
import type { ModelTraits } from "./traits.ts";
import type { ThinkingConfig } from "./wire.ts";

interface ThinkingContext extends Translation {
  readonly traits: ModelTraits;
}

/** Tokens that each effort is worth where thinking is counted, as the vendor's own OpenAI dialect has it. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
};

/** Least budget of the models that always think. */
const leastBudget = 128;

const levels = { none: "LOW", minimal: "LOW", low: "LOW", medium: "MEDIUM", high: "HIGH", xhigh: "HIGH" } as const;

/** How a request asks for thinking; `undefined` leaves the model to its default. */
export function planThinking(request: ChatRequest, context: ThinkingContext): ThinkingConfig | undefined {
  const asked = askedReasoning(request, context);
  if (asked === undefined) return undefined;
  const { traits, call } = context;
  if (traits.thinking === "none") {
    if (asked.effort !== "none") call.warn(`\`${asked.field}\` is not supported by ${call.model}`);
    return undefined;
  }
  const includeThoughts = asked.isExcluded || asked.effort === "none" ? undefined : true;
  if (asked.maxTokens !== undefined) return { thinkingBudget: asked.maxTokens, includeThoughts };
  if (asked.effort === undefined) return { includeThoughts };
  const amount =
    traits.thinking === "budget" ? budgetOf(asked.effort, asked, context) : levelOf(asked.effort, asked, context);
  return { ...amount, includeThoughts };
}

function budgetOf(effort: Effort, { field }: AskedReasoning, { traits, call }: ThinkingContext): ThinkingConfig {
  if (effort === "none" && !traits.canStopThinking) {
    call.warn(`\`${field}\` none: ${call.model} always thinks, its budget is ${leastBudget}`);
    return { thinkingBudget: leastBudget };
  }
  return { thinkingBudget: budgets[effort] };
}

function levelOf(effort: Effort, { field }: AskedReasoning, { traits, call }: ThinkingContext): ThinkingConfig {
  const isLeast = effort === "none" || effort === "minimal";
  const level = isLeast && traits.hasMinimal ? "MINIMAL" : levels[effort];
  if (level.toLowerCase() !== effort)
    call.warn(`\`${field}\` ${effort} is sent to ${call.model} as ${level.toLowerCase()}`);
  return { thinkingLevel: level };
}
