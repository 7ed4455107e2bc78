import type { ListCoverage } from "./list-comparison.ts";
import type { PlainPrice } from "./plain-price.ts";
import { publicLists } from "./public-lists.ts";

/** Rows of a class in the report before it only counts. */
const mostRows = 12;

export const listHeading = "## Compared with two hand-kept lists";

/** The comparison with the hand-kept lists as a section of the report. */
export function writeListReport(found: ReadonlyMap<string, ListCoverage>): string {
  const all = [...found.values()].flatMap(({ differences }) => differences);
  const reasons = [...new Set(all.map(({ reason }) => reason))].sort();
  const packages = Object.entries(publicLists).map(
    ([name, { version, licence }]) => `\`${name}\` ${version} (${licence})`,
  );
  return `${listHeading}

${packages.join(" and ")} are kept by hand and are no sources of the catalogue. Their prices per token are looked up
as a gateway would, on the day of the snapshot. \`equal\`: input, output and, where both state them, cached reads are the same to one in ten thousand.
\`node scripts/compare-price-lists.ts\` writes this section again; a test asks every difference for its reason.

| list | provider | models | known | of these equal |
|---|---|---|---|---|
${[...found].map(([key, coverage]) => row(key, coverage)).join("\n")}

Dollars per million tokens: input / output / cached reads.

${reasons
  .map((reason) => {
    const own = all.filter((each) => each.reason === reason);
    const rows = own
      .slice(0, mostRows)
      .map(
        ({ listed, ours, theirs }) => `| ${listed.provider}/${listed.model} | ${dollars(ours)} | ${dollars(theirs)} |`,
      );
    const shown = own.length > mostRows ? `; the first ${mostRows}` : "";
    return `### ${reason}\n\n${own.length} prices${shown}:\n\n| model | catalogue | list |\n|---|---|---|\n${rows.join("\n")}\n`;
  })
  .join("\n")}`;
}

function row(key: string, { models, known, equal }: ListCoverage): string {
  return `| ${key.replace(" ", " | ")} | ${models} | ${known} | ${equal} |`;
}

function dollars(price: PlainPrice | undefined): string {
  return price === undefined ? "unknown" : price.map((rate) => rate ?? "–").join(" / ");
}
