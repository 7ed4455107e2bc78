import type { ResetDuration } from "../../../../src/engine/api/governance.ts";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";

type Owner = AnswerOf<Areas["ai"]["customers"]>[number];
type Budget = Owner["budgets"][number];
type RateLimit = Owner["rate_limits"][number];

/** The limits of an owner as a form holds them: the first budget and the first limit of requests; empty for none. */
export interface LimitDraft {
  readonly budget: string;
  readonly budgetWindow: ResetDuration;
  readonly requests: string;
  readonly requestWindow: ResetDuration;
}

/** The limits of a key, a project or a customer. */
export interface Limits {
  readonly budgets: readonly Budget[];
  readonly rate_limits: readonly RateLimit[];
}

/** What a form shows of limits. */
export function toDraft({ budgets: [budget], rate_limits }: Limits): LimitDraft {
  const rate = rate_limits.find(({ request_max_limit }) => request_max_limit !== undefined);
  return {
    budget: budget === undefined ? "" : String(budget.max_limit),
    budgetWindow: budget?.reset_duration ?? "1M",
    requests: rate?.request_max_limit === undefined ? "" : String(rate.request_max_limit),
    requestWindow: rate?.request_reset_duration ?? "1m",
  };
}

/** True for amounts that can be sent. */
export function isDraftValid({ budget, requests }: LimitDraft): boolean {
  const amount = Number(budget);
  const count = Number(requests);
  return Number.isFinite(amount) && amount >= 0 && Number.isSafeInteger(count) && count >= 0;
}

/** The limits that a draft stands for: what the form does not show stays as it was; an unchanged field is not sent. */
export function toLimits(draft: LimitDraft, before: Limits) {
  const first = toDraft(before);
  const [known, ...others] = before.budgets;
  const isBudget = draft.budget !== first.budget || draft.budgetWindow !== first.budgetWindow;
  const isRate = draft.requests !== first.requests || draft.requestWindow !== first.requestWindow;
  const budget = { ...known, max_limit: Number(draft.budget), reset_duration: draft.budgetWindow };
  return {
    ...(isBudget && { budgets: (draft.budget === "" ? others : [budget, ...others]).map(toWhole) }),
    ...(isRate && { rate_limits: toRates(draft, before.rate_limits) }),
  };
}

/** A budget with what the gateway fills in. */
function toWhole(budget: Budget) {
  const { calendar_aligned = false, enforcement = "hard" } = budget;
  return { ...budget, calendar_aligned, enforcement };
}

function toRates({ requests, requestWindow }: LimitDraft, before: readonly RateLimit[]): RateLimit[] {
  const at = before.findIndex(({ request_max_limit }) => request_max_limit !== undefined);
  const { request_max_limit: _max, request_reset_duration: _window, ...rest } = before[at] ?? {};
  const own = requests === "" ? {} : { request_max_limit: Number(requests), request_reset_duration: requestWindow };
  const next = { ...rest, ...own } as RateLimit; // seam: the pairs are whole or absent
  const others = before.filter((_one, position) => position !== at);
  return Object.keys(next).length === 0 ? others : [next, ...others];
}

/** Limits in a few words: `$20 / 1M`, `60 / 1m`. */
export function limitsInWords({ budgets, rate_limits }: Limits): string {
  return [
    ...budgets.map(({ max_limit, reset_duration }) => `$${max_limit} / ${reset_duration}`),
    ...rate_limits.flatMap(({ request_max_limit, request_reset_duration }) =>
      request_max_limit === undefined ? [] : [`${request_max_limit} / ${request_reset_duration}`],
    ),
  ].join(", ");
}
