import type { ResetDuration } from "../../../../src/engine/api/governance.ts";
import { areToolsValid, readTools, withLimits } from "./tool-patterns.ts";

/** What the form of a new key holds, as it was typed. */
export interface KeyDraft {
  readonly name: string;
  readonly description: string;
  readonly tier: string;
  readonly project_id: string;
  readonly isUserBound: boolean;
  /** Patterns, separated by commas or lines; empty for all that the tier allows. */
  readonly models: string;
  /** Tools of MCP servers, one a line; empty for none. */
  readonly tools: string;
  /** Dollars; empty for none. */
  readonly budget: string;
  readonly budgetWindow: ResetDuration;
  /** Requests; empty for no limit. */
  readonly requests: string;
  readonly requestWindow: ResetDuration;
  /** Local date and time; empty for no end. */
  readonly expires: string;
}

/** What is wrong with a draft. */
interface DraftProblems {
  readonly name: boolean;
  readonly tools: boolean;
  readonly limits: boolean;
}

/** Returns which parts of a draft are not acceptable. */
export function problemsOf({ name, tools, budget, requests, expires }: KeyDraft): DraftProblems {
  const isAmount = (typed: string) => typed === "" || (Number.isFinite(Number(typed)) && Number(typed) >= 0);
  const isCount = requests === "" || (Number.isSafeInteger(Number(requests)) && Number(requests) >= 0);
  const isInstant = expires === "" || !Number.isNaN(Date.parse(expires));
  return {
    name: name.trim() === "",
    tools: !areToolsValid(tools),
    limits: !isAmount(budget) || !isCount || !isInstant,
  };
}

/** The patterns of a draft. */
export function patternsOf({ models }: Pick<KeyDraft, "models">): readonly string[] {
  return models.split(/[\s,]+/).filter((pattern) => pattern !== "");
}

/** The models that a pattern names: `*` stands for any text, and a name without a provider for that model of any. */
export function matchModels(pattern: string, models: readonly string[]): readonly string[] {
  const wanted = pattern.toLowerCase();
  return models.filter((model) => {
    const name = model.toLowerCase();
    return matches(wanted, name) || matches(wanted, name.slice(name.indexOf("/") + 1));
  });
}

function matches(pattern: string, name: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  for (const part of others) {
    const at = name.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from <= name.length - last.length;
}

/** The body of `POST /ai/keys` that a draft stands for: one call makes the key with all its limits. */
export function toKeyInput(draft: KeyDraft) {
  const { name, description, tier, project_id, isUserBound, budget, budgetWindow, requests, requestWindow } = draft;
  const mcp_configs = withLimits(readTools(draft.tools));
  const llms = patternsOf(draft);
  const max = { max_limit: Number(budget), reset_duration: budgetWindow };
  const rate = { request_max_limit: Number(requests), request_reset_duration: requestWindow };
  return {
    ...{ name: name.trim(), description, tier, user_bound: isUserBound },
    ...(project_id === "" ? {} : { project_id }),
    ...(llms.length === 0 ? {} : { llms: [...llms] }),
    ...(mcp_configs.length === 0 ? {} : { mcp_configs }),
    ...(budget === "" ? {} : { budgets: [{ ...max, calendar_aligned: false, enforcement: "hard" as const }] }),
    ...(requests === "" ? {} : { rate_limits: [rate] }),
    ...(draft.expires === "" ? {} : { expires_at: new Date(draft.expires).toISOString() }),
  };
}
