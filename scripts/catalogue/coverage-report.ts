import { addUp, type Coverage, type Difference } from "./coverage.ts";
import { mapProviders } from "./extract.ts";

/** Rows of a class in the report before it only counts. */
const mostRows = 12;

/** The comparison with the price map as a section of the report. */
export function writeCoverage(found: ReadonlyMap<string, Coverage>): string {
  const sellers = [...found].filter(([provider]) => mapProviders.has(provider));
  const others = [...found].filter(([provider]) => !mapProviders.has(provider)).map(([, coverage]) => coverage);
  const all = sellers.map(([, coverage]) => coverage).reduce(addUp);
  const reasons = [...new Set(all.differences.map(({ reason }) => reason))].sort();
  return `## Compared with the price map

Every line of \`scripts/catalogue/price-map.txt\` (models that are not retired, and prices of one image size; provisioned throughput is no
model) is looked up as a gateway would. \`equal\`: the plain rates are the same to one in ten thousand; \`every rate\`: all rates of the map are stated;
\`every rate equal\`: and are the same. \`node scripts/measure-prices.ts --all\` prints it again, rate by rate.

| provider | models | known | of these equal | every rate | every rate equal |
|---|---|---|---|---|---|
${sellers.map(([provider, coverage]) => row(provider, coverage)).join("\n")}
${row("**together**", all)}
${others.length > 0 ? row("decision models elsewhere", others.reduce(addUp)) : ""}

What differs, by reason:

${reasons.map((reason) => writeClass(reason, all.differences)).join("\n")}`;
}

function row(name: string, { models, known, equal, complete, same }: Coverage): string {
  const share = (part: number, whole: number) => `${part} (${((100 * part) / whole).toFixed(1)} %)`;
  const cells = [models, share(known, models), ...[equal, complete, same].map((part) => share(part, known))];
  return `| ${[name, ...cells].join(" | ")} |`;
}

function writeClass(reason: string, differences: readonly Difference[]): string {
  const own = differences.filter((each) => each.reason === reason);
  const models = new Set(own.map(({ model }) => model)).size;
  const shown = own
    .filter(({ model }, index) => own.findIndex((each) => each.model === model) === index)
    .slice(0, mostRows);
  const rows = shown.map(
    ({ model, rate, ours, map }) => `| ${model} | ${rate} | ${dollars(ours, rate)} | ${dollars(map, rate)} |`,
  );
  return `### ${reason}

${own.length} rates of ${models} models; one rate of each of the first ${shown.length}:

| model | rate | catalogue | map |
|---|---|---|---|
${rows.join("\n")}
`;
}

/** Dollars per million where tokens are sold. */
function dollars(rate: number | undefined, name: string): string {
  if (rate === undefined) return "";
  const isPerToken = /_per_(?:\w+_)?token|_token_cost/.test(name.replace(/_above_\d+k_tokens/, ""));
  return String(Number((isPerToken ? rate * 1e6 : rate).toFixed(9)));
}
