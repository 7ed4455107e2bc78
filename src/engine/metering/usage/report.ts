import type { LedgerAttempt, LedgerEntry, UsageRow } from "../../ports/ledger.ts";
import type { LineItem } from "../../ports/prices.ts";
import { toDollars, toDollarsPerUnit } from "../money.ts";

/**
 * One group of a report and its sums. Money is in US dollars, as everywhere but in the ports; fields that end in `_nano` have the same
 * amount in whole nano-dollars, for sums that must be exact.
 */
export interface UsageReportRow extends Omit<UsageRow, "cost" | "saved"> {
  /** US dollars. */
  readonly cost: number;
  readonly cost_nano: number;
  /** What the answer cache saved, in US dollars. */
  readonly saved: number;
  readonly saved_nano: number;
}

/** A line of a bill. */
export interface UsageReportItem extends Omit<LineItem, "rate" | "amount"> {
  /** US dollars per unit. */
  readonly rate: number;
  /** US dollars. */
  readonly amount: number;
  readonly amount_nano: number;
}

/** A target that was asked, and its bill. */
export interface UsageReportAttempt extends Omit<LedgerAttempt, "cost" | "items"> {
  /** US dollars. */
  readonly cost: number;
  readonly cost_nano: number;
  readonly items: readonly UsageReportItem[];
}

/** One request with all its attempts. */
export interface UsageReportEntry extends Omit<LedgerEntry, "saved" | "attempts"> {
  /** US dollars. */
  readonly saved: number;
  readonly saved_nano: number;
  readonly attempts: readonly UsageReportAttempt[];
}

/** A page of requests, newest first. */
export interface UsageReportPage {
  readonly entries: readonly UsageReportEntry[];
  /** `after` of the next page; absent on the last. */
  readonly next?: string | undefined;
}

/** The ledger's row as reports show it. */
export function reportRow({ cost, saved, ...row }: UsageRow): UsageReportRow {
  return { ...row, cost: toDollars(cost), cost_nano: cost, saved: toDollars(saved), saved_nano: saved };
}

/** The ledger's row that a report's row is of, to be added up without rounding: the inverse of {@link reportRow}. */
export function ledgerRow({ cost_nano: cost, saved_nano: saved, ...row }: UsageReportRow): UsageRow {
  return { ...row, cost, saved };
}

/** The ledger's entry as reports show it. */
export function reportEntry(entry: LedgerEntry): UsageReportEntry {
  const { saved } = entry;
  return { ...entry, saved: toDollars(saved), saved_nano: saved, attempts: entry.attempts.map(reportAttempt) };
}

function reportAttempt({ cost, items, ...attempt }: LedgerAttempt): UsageReportAttempt {
  return { ...attempt, cost: toDollars(cost), cost_nano: cost, items: items.map(reportItem) };
}

function reportItem({ rate, amount, ...item }: LineItem): UsageReportItem {
  return { ...item, rate: toDollarsPerUnit(rate), amount: toDollars(amount), amount_nano: amount };
}
