import { toRate } from "../../src/engine/metering/money.ts";
import type { Merged } from "./merge.ts";
import type { SourceData } from "./model.ts";
import { type Source, type SourceKey, sources } from "./sources.ts";
import type { Disagreement } from "./vote.ts";

const compared = ["genai", "map", "pi", "modelsdev", "litellm"] as const satisfies readonly SourceKey[];

/** The report on the sources: what each covers, and where they disagree by more than one in a hundred. */
export function writeReport({
  data,
  merged,
  date,
}: {
  data: readonly SourceData[];
  merged: Merged;
  date: string;
}): string {
  const isReseller = ({ model }: Disagreement) => model.startsWith("openrouter/");
  const own = merged.disagreements.filter((each) => !isReseller(each));
  const resold = merged.disagreements.filter(isReseller);
  return `# Price sources, ${date}

Made by \`node scripts/build-catalogue.ts\`; do not edit. How the sources were chosen is in [decisions/0006-prices.md](decisions/0006-prices.md).

## Coverage

Rows that fall to one of our providers; \`priced\` are those with a price that is not a placeholder 0.

| source | package | published | licence | models | priced | with dates or hours | with largest output |
|---|---|---|---|---|---|---|---|
${data.map(coverageRow).join("\n")}
| **catalogue** | | ${date} | | ${merged.models.length} | ${merged.models.filter(({ periods }) => periods.length > 0).length} | ${countDated(merged.models)} | ${merged.models.filter(({ maxOutputTokens }) => maxOutputTokens).length} |

Figures of the sources that the catalogue has no name for and leaves out: ${data.flatMap(({ dropped }) => [...dropped].map(([unit, count]) => `\`${unit}\` ${count}`)).join(", ")}.

## Disagreements over 1 %

${merged.compared} models are priced by more than one source; ${new Set(own.map(({ model }) => model)).size} of those that vendors sell themselves and ${new Set(resold.map(({ model }) => model)).size} of
OpenRouter's (whose prices follow the cheapest endpoint of the day) differ in a plain input, output or cached-read price. Dollars per million tokens, today, outside
daily windows; **bold** is what the catalogue has, \`vendor\` a price read from the vendor's own page.

| model | rate | ${compared.join(" | ")} | chosen |
|---|---|${compared.map(() => "---").join("|")}|---|
${own.map(disagreementRow).join("\n")}
`;
}

function coverageRow({ key, models }: SourceData): string {
  const { name, version, date, licence, origin }: Source = sources[key];
  const priced = models.filter(({ periods }) => periods.length > 0).length;
  const sized = models.filter(({ maxOutputTokens }) => maxOutputTokens).length;
  return `| ${key}: ${origin} | ${name} ${version} | ${date} | ${licence} | ${models.length} | ${priced} | ${countDated(models)} | ${sized} |`;
}

function countDated(models: SourceData["models"]): number {
  return models.filter(({ periods }) => periods.some(({ from, window }) => from !== undefined || window)).length;
}

const shortNames: Readonly<Record<string, string>> = {
  input_cost_per_token: "input",
  output_cost_per_token: "output",
  cache_read_input_token_cost: "cached read",
};

function disagreementRow({ model, rate, figures, chosen }: Disagreement): string {
  const cells = compared.map((key) => {
    const figure = figures[key];
    if (figure === undefined) return "";
    const text = String(toRate(figure) / 1e6);
    return key === chosen ? `**${text}**` : text;
  });
  return `| ${model} | ${shortNames[rate] ?? rate} | ${cells.join(" | ")} | ${chosen} |`;
}
