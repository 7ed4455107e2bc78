import { GatewayError } from "../errors.ts";
import { type Conditions, explainConditions, type Finding, holdAll, type RouteFacts } from "./conditions.ts";
import { matchesAny } from "./glob.ts";
import { parseMinute } from "./hours.ts";
import { parseModelName } from "./model-name.ts";
import type { Order } from "./order.ts";

/** What a rule changes about a route. */
export interface RouteActions {
  /** `provider/model` to ask in place of the asked one. */
  readonly model?: string | undefined;
  /** Entries to append to the request's `fallbacks`. */
  readonly fallbacks?: readonly string[] | undefined;
  readonly order?: Order | undefined;
  /** Names of providers, or patterns with `*`, that are not asked. */
  readonly exclude?: readonly string[] | undefined;
}

/** A conditional rule; of a list, the first that matches is the only one that acts. */
export interface RouteRule {
  /** Unique within the list; what plans and events call it. */
  readonly name: string;
  /** Always, unless given. */
  readonly when?: Conditions | undefined;
  readonly use: RouteActions;
}

/** A route as it is asked for, before it is planned. */
export interface RouteRequest {
  readonly model: string;
  readonly fallbacks?: readonly string[] | undefined;
}

/** A request as a rule changed it. */
export interface SteeredRequest extends RouteRequest {
  /** The rule that acted; absent when none did. */
  readonly rule?: string | undefined;
  readonly order?: Order | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** What was found of one rule: it matched, or why not. Rules behind the one that matched are not looked at. */
export interface RuleReport {
  readonly rule: string;
  readonly isMatch: boolean;
  /** Every condition with what was found; empty for a rule without conditions. */
  readonly findings: readonly Finding[];
}

/** The first rule that matches. */
export function findRule(rules: readonly RouteRule[], facts: RouteFacts): RouteRule | undefined {
  return rules.find(({ when }) => holdAll(when, facts));
}

/** What {@link findRule} looked at, rule by rule; the last report is the match, if there is one. */
export function explainRules(rules: readonly RouteRule[], facts: RouteFacts): readonly RuleReport[] {
  const reports: RuleReport[] = [];
  for (const { name, when } of rules) {
    const findings = explainConditions(when, facts);
    const isMatch = findings.every(({ holds }) => holds);
    reports.push({ rule: name, isMatch, findings });
    if (isMatch) break;
  }
  return reports;
}

/** The request as the rule wants it; without a rule as it is. The caller's own fallbacks stay in front of the rule's. */
export function steerRequest(request: RouteRequest, rule: RouteRule | undefined): SteeredRequest {
  if (!rule) return request;
  const { model = request.model, fallbacks = [], order, exclude } = rule.use;
  return { model, fallbacks: [...(request.fallbacks ?? []), ...fallbacks], rule: rule.name, order, exclude };
}

/** True when a rule keeps a provider from being asked. */
export function isExcluded({ exclude }: Pick<RouteActions, "exclude">, provider: string): boolean {
  return exclude !== undefined && matchesAny(exclude, provider);
}

/**
 * Throws `invalid_configuration` with the field's path below `rules` in `param` for what the rules' types cannot say: names that are
 * there twice, times that are no times, models without a provider.
 */
export function checkRules(rules: readonly RouteRule[]): void {
  const names = new Set<string>();
  for (const [position, rule] of rules.entries()) {
    const problem = problemOf(rule, names);
    names.add(rule.name);
    if (!problem) continue;
    const param = `rules.${position}.${problem.field}`;
    throw new GatewayError("invalid_configuration", `\`${param}\`: ${problem.words}.`, { param });
  }
}

interface Problem {
  readonly field: string;
  readonly words: string;
}

function problemOf({ name, when, use }: RouteRule, names: ReadonlySet<string>): Problem | undefined {
  if (name === "") return { field: "name", words: "must not be empty" };
  if (names.has(name)) return { field: "name", words: `\`${name}\` is there twice` };
  for (const field of ["from", "to"] as const) {
    const time = when?.hours?.[field];
    if (time !== undefined && parseMinute(time) === undefined)
      return { field: `when.hours.${field}`, words: `\`${time}\` is no time of the form HH:MM` };
  }
  if (use.model !== undefined && !parseModelName(use.model))
    return { field: "use.model", words: `\`${use.model}\` is not of the form \`provider/model\`` };
  return undefined;
}
