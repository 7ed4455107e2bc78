import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import { effortWord, type Translation } from "../chat/fields.ts";
import { type Effort, type RequestedReasoning, requestedReasoning } from "../chat/reasoning.ts";
import type { ClaudeTraits, WireEffort } from "./traits.ts";
import type { Thinking } from "./wire.ts";

/** The thinking fields of a request; without either the model's default applies. */
export interface ThinkingPlan {
  readonly thinking?: Thinking | undefined;
  /** A level of the vendor's, or a word of the configuration. */
  readonly effort?: string | undefined;
}

/** What a plan depends on apart from the request. */
export interface ClaudeThinkingContext extends Translation {
  readonly traits: ClaudeTraits;
  /** `max_tokens` of the request: thinking counts towards it. */
  readonly maxTokens: number;
  /** True when `tool_choice` forces a call, which excludes thinking. */
  readonly isForced: boolean;
  /** True when the conversation waits for an answer to tool calls whose thinking is not there: with a budget, that is a 400. */
  readonly isUnsignedLoop: boolean;
}

/** Least budget that the vendor takes. */
const leastBudget = 1_024;

/** Share of `max_tokens` that an effort is worth where only a budget is taken. */
const budgetShare = { minimal: 0.1, low: 0.2, medium: 0.5, high: 0.8, xhigh: 0.95, max: 0.95 } as const;

/** Decides how a request asks for thinking; names in warnings what had to give way. */
export function planThinking(request: ChatRequest, context: ClaudeThinkingContext): ThinkingPlan {
  const requested = requestedReasoning(request, context);
  if (requested === undefined) return {};
  const word = effortWord(context, requested.effort);
  if (word !== undefined) return planByRule(requested, word, context);
  if (requested.effort === "none") return planNone(requested, context);
  const { traits, call } = context;
  if (traits.thinking === "none") {
    call.warn(`\`${requested.field}\` is not supported by ${call.model}`);
    return {};
  }
  const isBudget = traits.thinking === "budget" || (traits.thinking === "either" && requested.maxTokens !== undefined);
  const obstacle = obstacleOf(isBudget, context);
  if (obstacle !== undefined) {
    call.warn(`\`${requested.field}\` is not sent to ${call.model}: ${obstacle}`);
    return {};
  }
  return isBudget ? planBudget(requested, context) : planAdaptive(requested, context);
}

/** A number is a budget of tokens, anything else a level, whatever form this release takes the model to have. */
function planByRule(requested: RequestedReasoning, word: string, context: ClaudeThinkingContext): ThinkingPlan {
  const budget = /^\d+$/.test(word) ? Number(word) : undefined;
  const obstacle = obstacleOf(budget !== undefined, context);
  const { field, effort } = requested;
  if (obstacle !== undefined) {
    context.call.warn(`\`${field}\` is not sent to ${context.call.model}: ${obstacle}`);
    return {};
  }
  if (word !== effort) context.call.warn(`\`${field}\` ${effort} is sent to ${context.call.model} as ${word}`);
  if (budget !== undefined) return planBudget({ ...requested, maxTokens: budget }, context);
  return { thinking: { type: "adaptive", display: requested.isExcluded ? "omitted" : "summarized" }, effort: word };
}

function planNone({ field }: RequestedReasoning, { traits, call }: ClaudeThinkingContext): ThinkingPlan {
  if (traits.off === "omit") return {};
  if (traits.off !== "never") return { thinking: { type: traits.off } };
  call.warn(`\`${field}\` none: ${call.model} always thinks, the effort is low`);
  return { effort: "low" };
}

function obstacleOf(
  isBudget: boolean,
  { isForced, isUnsignedLoop, maxTokens }: ClaudeThinkingContext,
): string | undefined {
  if (isForced) return "it excludes a `tool_choice` that forces a call";
  if (isBudget && isUnsignedLoop) return "the last tool calls come without their signed reasoning";
  if (isBudget && maxTokens <= leastBudget) return `\`max_completion_tokens\` must be over ${leastBudget}`;
  return undefined;
}

function planBudget(
  { maxTokens: requested, effort = "medium" }: RequestedReasoning,
  context: ClaudeThinkingContext,
): ThinkingPlan {
  const { maxTokens, call } = context;
  const share = budgetShare[effort === "none" ? "minimal" : effort];
  const filters = requested ?? Math.max(leastBudget, Math.floor(maxTokens * share));
  const budget = Math.min(Math.max(filters, leastBudget), maxTokens - 1);
  if (requested !== undefined && budget !== requested) {
    call.warn(
      `\`reasoning.max_tokens\` ${requested} is sent as ${budget}: it is at least ${leastBudget} and under \`max_tokens\``,
    );
  }
  return { thinking: { type: "enabled", budget_tokens: budget } };
}

function planAdaptive(
  { maxTokens, effort, isExcluded, field }: RequestedReasoning,
  context: ClaudeThinkingContext,
): ThinkingPlan {
  const { traits, call } = context;
  if (maxTokens !== undefined) {
    call.warn(
      `\`reasoning.max_tokens\` is not supported by ${call.model}: it decides by itself, or by \`reasoning.effort\``,
    );
  }
  const wire = effort === undefined ? undefined : wireEffort(effort, traits);
  if (wire !== undefined && wire !== effort) call.warn(`\`${field}\` ${effort} is sent to ${call.model} as ${wire}`);
  return { thinking: { type: "adaptive", display: isExcluded ? "omitted" : "summarized" }, effort: wire };
}

/** The level itself, or the nearest below it that the model has: never more than requested, except above `minimal`. */
function wireEffort(effort: Effort, { efforts }: ClaudeTraits): WireEffort {
  const level = effort === "minimal" || effort === "none" ? "low" : effort;
  if (efforts.includes(level)) return level;
  return level === "max" && efforts.includes("xhigh") ? "xhigh" : "high";
}
