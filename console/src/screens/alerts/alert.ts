import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import type { AlertKind, AlertParams } from "../../../../src/operations/records/alerts/alerts.ts";

/** What a rule found. */
export type Alert = AnswerOf<Areas["alerts"]["list"]>[number];

/** A rule as the list has it. */
export type AlertRule = AnswerOf<Areas["alerts"]["rules"]>[number];

/** A channel as the list has it. */
export type AlertChannel = AnswerOf<Areas["alerts"]["channels"]>[number];

/** The name of a parameter of rules. */
export type AlertParam = keyof AlertParams;

/** A kind of rule: the row whose permission it needs, and its parameters with what they are at first. */
interface KindRow {
  readonly row: string;
  readonly params: { readonly [Param in AlertParam]?: string };
}

/** The kinds of rules. */
export const alertKinds: Readonly<Record<AlertKind, KindRow>> = {
  budget_used: { row: "ai.limits", params: { percent: "80" } },
  balance_low: { row: "ai.limits", params: { dollars: "10" } },
  limit_refused: { row: "ai.requests", params: { minutes: "15", min_requests: "1" } },
  key_expiring: { row: "ai.keys", params: { days: "7" } },
  token_expiring: { row: "users.tokens", params: { days: "7" } },
  error_rate: { row: "ai.health", params: { percent: "20", minutes: "5", min_requests: "20", target: "" } },
  circuit_open: { row: "ai.health", params: { target: "" } },
  backup_failed: { row: "backups.list", params: {} },
};

/** The bounds of a number among the parameters. `min` itself is not enough where it is open. */
interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly isOpen?: boolean;
  readonly isWhole?: boolean;
}

/** The bounds of the parameters that are numbers. */
export const alertBounds: Readonly<Record<Exclude<AlertParam, "target">, Bounds>> = {
  percent: { min: 0, max: 100, isOpen: true },
  dollars: { min: 0, max: 1_000_000_000 },
  days: { min: 1, max: 365, isWhole: true },
  minutes: { min: 1, max: 60, isWhole: true },
  min_requests: { min: 1, max: 1_000_000, isWhole: true },
};

/** True for a text that the parameter takes. */
export function isParamValid(param: AlertParam, typed: string): boolean {
  if (param === "target") return typed.trim().length <= 256;
  if (typed.trim() === "") return false;
  const { min, max, isOpen = false, isWhole = false } = alertBounds[param];
  const value = Number(typed);
  return value <= max && (isOpen ? value > min : value >= min) && (!isWhole || Number.isInteger(value));
}

/** The parameters of a kind as texts: those of a rule, else what they are at first. */
export function typedParams(kind: AlertKind, rule?: AlertRule): Readonly<Partial<Record<AlertParam, string>>> {
  const names = Object.entries(alertKinds[kind].params) as [AlertParam, string][];
  return Object.fromEntries(names.map(([name, first]) => [name, String(rule?.[name] ?? (rule ? "" : first))]));
}

/** The parameters to send: numbers as numbers, and no empty target. */
export function readParams(typed: Readonly<Partial<Record<AlertParam, string>>>): AlertParams {
  const filled = (Object.entries(typed) as [AlertParam, string][]).filter(([, value]) => value.trim() !== "");
  return Object.fromEntries(
    filled.map(([name, value]) => [name, name === "target" ? value.trim() : Number(value)] as const),
  );
}

/** The console's place for the subject of an alert; undefined where the gateway names none that has a screen. */
export function placeOf({ link, subject }: Pick<Alert, "link" | "subject">): string | undefined {
  const [area, kind, id] = (link ?? "").split("/").slice(1);
  if (area === "ai" && kind === "keys" && id !== undefined) return `ai/keys/${id}`;
  if (area === "ai" && kind === "project" && id !== undefined) return `ai/projects/${id}`;
  if (area === "ai" && kind === "customer") return `ai/customers/${encodeURIComponent(subject)}`;
  if (area === "ai" && kind === "health") return "ai/health";
  if (area === "users" && kind !== undefined) return `users/${kind}`;
  return area === "backup" && kind !== undefined ? `backups/${kind}` : undefined;
}
