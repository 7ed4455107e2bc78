import type { Rates } from "../../src/engine/api/rates.ts";
import type { SourceKey } from "./sources.ts";

/** When rates hold: from a day on, and of those days only in a window (minutes of the UTC day) on some weekdays (0 is Sunday; none means all). */
export interface Period {
  readonly from?: string;
  readonly window?: { readonly start: number; readonly end: number; readonly days: readonly number[] };
  readonly rates: Rates;
}

/** One model as one source, or all of them together, know it; names and units are ours. */
export interface SourceModel {
  readonly provider: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly mode?: string;
  readonly contextLength?: number;
  readonly maxOutputTokens?: number;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Request parameters that it honours. */
  readonly parameters: readonly string[];
  /** Later ones win; empty when the source has no price. */
  readonly periods: readonly Period[];
}

/** What one source knows. */
export interface SourceData {
  readonly key: SourceKey;
  readonly models: readonly SourceModel[];
  /** Figures of the source that the catalogue cannot hold, by kind. */
  readonly dropped: ReadonlyMap<string, number>;
}

/** Dollars per unit of a price per million units, to the step that bills keep and without the dust of a division. */
export function perMillion(dollars: number): number {
  return Number(`${Math.round(dollars * 1e6)}e-12`);
}

/** Dollars per unit of a price per thousand units. */
export function perThousand(dollars: number): number {
  return Number(`${Math.round(dollars * 1e9)}e-12`);
}

/** Rates without those that are absent. */
export function pickRates(rates: { readonly [Name in string]?: number | undefined }): Rates {
  return Object.fromEntries(Object.entries(rates).filter(([, rate]) => rate !== undefined)) as Rates;
}

/** True where a source writes 0 for want of a price: models that are free say so in their name. */
export function isPlaceholder(name: string, rates: Rates): boolean {
  const isFree = /[:/-]free$/.test(name);
  return !isFree && Object.values(rates).every((rate) => !rate);
}

/** Dollars times a factor, to the step that bills keep. */
export function times(dollars: number, factor: number): number {
  return Number((dollars * factor).toFixed(12));
}

/** True when the plain rates of two lists differ by no more than one in a hundred; one that only one of them states is no difference. */
export function agree(a: Rates, b: Rates): boolean {
  const names = ["input_cost_per_token", "output_cost_per_token"] as const;
  const isShared = names.some((name) => a[name] !== undefined && b[name] !== undefined);
  return names.every(
    (name) => !differs([a[name] ?? (isShared ? b[name] : 0) ?? 0, b[name] ?? (isShared ? a[name] : 0) ?? 0]),
  );
}

export function differs(figures: readonly number[]): boolean {
  return Math.max(...figures) - Math.min(...figures) > 0.01 * Math.max(...figures);
}

/** The rates of today, outside daily windows. */
export function currentRates(model: SourceModel | undefined, today: string): Rates | undefined {
  return model?.periods.filter(({ from, window }) => !window && (from === undefined || from <= today)).at(-1)?.rates;
}
