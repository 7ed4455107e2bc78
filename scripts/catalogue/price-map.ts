import { readFileSync } from "node:fs";
import { decodeModel } from "../../adapters/prices/catalogue/format.ts";
import type { Rates } from "../../src/engine/api/rates.ts";
import { agree, pickRates, type SourceData, type SourceModel } from "./model.ts";

const file = new URL("price-map.txt", import.meta.url);

/** A line of the extract. */
export interface MapEntry {
  readonly model: SourceModel;
  /** Rates that the snapshot has no code for. */
  readonly unknownRates: readonly string[];
  /** The day on which the vendor retires the model. */
  readonly retires: string | undefined;
}

/** The lines of the extract, in which a model may stand twice: as two endpoints of its vendor sell it. */
export function readMapEntries(): MapEntry[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#")).map(readLine);
}

function readLine(line: string): MapEntry {
  const { name: id, aliases, mode, context, largestOutput, ...rest } = decodeModel(line);
  const slash = id.indexOf("/");
  const [, unknown] = /\|X([^|]*)/.exec(line) ?? [];
  const model: SourceModel = {
    provider: id.slice(0, slash),
    name: id.slice(slash + 1),
    aliases,
    ...(mode === undefined ? {} : { mode }),
    ...(context === undefined ? {} : { contextLength: context }),
    ...(largestOutput === undefined ? {} : { maxOutputTokens: largestOutput }),
    inputs: rest.inputs ?? [],
    outputs: rest.outputs ?? [],
    parameters: rest.parameters ?? [],
    periods: rest.periods.map(({ rates }) => ({ rates: withoutZeroTokens(rates) })),
  };
  const [, retires] = /\|D([\d-]+)/.exec(line) ?? [];
  return { model, unknownRates: unknown?.split(" ") ?? [], retires };
}

/** Where something else is sold than tokens, the map writes a price of 0 for these. */
function withoutZeroTokens({ input_cost_per_token: input, output_cost_per_token: output, ...others }: Rates): Rates {
  if (input || output)
    return pickRates({ input_cost_per_token: input, output_cost_per_token: output, ...(others as object) });
  return others as Rates;
}

/** Reads the extract; of two lines of one model the first, with what the second adds at the same price. */
export function readPriceMap(): SourceData {
  const models = new Map<string, SourceModel>();
  for (const { model } of readMapEntries()) {
    const id = `${model.provider}/${model.name}`.toLowerCase();
    const first = models.get(id);
    const [a, b] = [first?.periods[0]?.rates, model.periods[0]?.rates];
    if (!first || !a) models.set(id, model);
    else if (b && agree(a, b)) models.set(id, { ...first, periods: [{ rates: { ...b, ...a } }] });
  }
  return { key: "map", models: [...models.values()], dropped: new Map() };
}
