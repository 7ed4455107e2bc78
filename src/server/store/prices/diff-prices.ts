import { catalogue, isModelsDev, ratesOfFile } from "tollgate/prices/catalogue";
import type { Rates } from "../../../engine/api/rates.ts";
import { namingFile } from "../../config/origin.ts";
import { alignColumns } from "../../terminal/format.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { comparePrices, type PriceChanges, type RatesByModel } from "./price-changes.ts";
import { nameOfSource, type PriceList, readPriceList } from "./price-list.ts";
import { checkPriceNames } from "./price-names.ts";

/** The word that names the built-in prices in place of a file. */
export const builtInWord = "built-in";

/** Two sources to compare. */
interface PriceDiff {
  readonly a: string;
  readonly b: string;
  readonly isJson: boolean;
}

/** Prints how the prices of two sources differ; resolves with 0 when they do not, and 1 when they do. */
export async function diffPrices({ a, b, isJson }: PriceDiff, terminal: Terminal): Promise<number> {
  const changes = comparePrices(await readRates(a, terminal), await readRates(b, terminal));
  const { removed, added, changed } = changes;
  terminal.out(
    isJson ? `${JSON.stringify(changes, null, 2)}\n` : writeChanges(changes, [nameOfSource(a), nameOfSource(b)]),
  );
  return removed.length + added.length + changed.length === 0 ? 0 : 1;
}

/** The rates of a source, checked as those of the configuration are. */
async function readRates(source: string, { folder, now, err }: Terminal): Promise<RatesByModel> {
  if (source === builtInWord) {
    const known = catalogue().list(now());
    return new Map(known.flatMap(({ provider, model, rates }) => (rates ? [[nameOf(provider, model), rates]] : [])));
  }
  const list = (await readPriceList(source, { folder })) as PriceList; // without a tag there is always one
  const { rates, warnings } = await checkList(source, list.content, now());
  for (const warning of warnings) err(`tollgate: ${warning}\n`);
  return rates;
}

/** Checks a list as that of a configuration; throws `invalid_configuration` naming the source, the model and the field. */
export function checkList(
  source: string,
  content: Readonly<Record<string, unknown>>,
  at: number,
): Promise<{ rates: RatesByModel; warnings: readonly string[]; version: string }> {
  return namingFile({ config: {}, file: nameOfSource(source) }, () => {
    if (!isModelsDev(content)) checkPriceNames(content);
    const { warnings, version } = catalogue({ overrides: content });
    return { rates: ratesOfFile(content, at), warnings, version };
  });
}

const nameOf = (provider: string, model: string): string => `${provider}/${model}`.toLowerCase();

function writeChanges({ removed, added, changed }: PriceChanges, [a, b]: readonly [string, string]): string {
  const rows = changed.map((each) => [each.model, each.rate, dollars(each.a), dollars(each.b), share(each.a, each.b)]);
  const table = rows.length === 0 ? "" : `${alignColumns([["MODEL", "RATE", "A", "B", "CHANGE"], ...rows])}\n`;
  const list = (title: string, models: readonly string[]) =>
    models.length === 0 ? "" : `${title}:\n${alignColumns(models.map((model) => [model]))}\n`;
  const models = new Set(changed.map(({ model }) => model)).size;
  const sum = `${changed.length} rates of ${models} models differ; ${removed.length} models are only in ${a}, ${added.length} only in ${b}.\n`;
  return `${table}${list(`Only in ${a}`, removed)}${list(`Only in ${b}`, added)}${sum}`;
}

const dollars = (rate: Rates[keyof Rates] | undefined) => (rate === undefined ? "–" : String(rate));

function share(a: number | undefined, b: number | undefined): string {
  if (a === undefined || b === undefined || a === 0) return "";
  const percent = (b / a - 1) * 100;
  return `${percent > 0 ? "+" : ""}${Number(percent.toFixed(2))} %`;
}
