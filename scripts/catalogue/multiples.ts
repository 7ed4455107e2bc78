import { multiplyRate, rateCodes, serviceCodes } from "../../adapters/prices/catalogue/format.ts";
import type { Rates } from "../../src/engine/api/rates.ts";

/** Rates of service tiers in the snapshot's short form, and the names that it stands for. */
export interface Multiples {
  readonly multiples: readonly string[];
  readonly covered: ReadonlySet<string>;
}

const tokenCodes = Object.entries(rateCodes).filter(([code, { per }]) => code.length === 1 && per === "million");

/** The service tiers of which at least two rates are the plain ones times one factor, in every tier of the prompt. */
export function findMultiples(rates: Rates): Multiples {
  const covered = new Set<string>();
  const multiples: string[] = [];
  for (const [letter, suffix] of Object.entries(serviceCodes)) {
    const factor = factorOf(rates, suffix);
    if (factor === undefined) continue;
    const exact = tokenCodes.filter(([, { name }]) => isMultiple(rates, name, { suffix, factor }));
    const names = exact.flatMap(([, { name }]) => variantsOf(rates, name)).map((name) => name + suffix);
    if (names.length < 2) continue;
    for (const name of names) covered.add(name);
    multiples.push(`${exact.map(([code]) => code).join("")}*${String(factor).replace(/^0\./, ".")}${letter}`);
  }
  return { multiples, covered };
}

/** The names of a plain rate and of its tiers, as far as they are stated. */
function variantsOf(rates: Rates, name: string): string[] {
  return Object.keys(rates).filter((each) => each.replace(/_above_\d+k_tokens$/, "") === name);
}

function factorOf(rates: Rates, suffix: string): number | undefined {
  const [plain, other] = [rates.input_cost_per_token, rates[`input_cost_per_token${suffix}`]];
  if (!plain || typeof other !== "number" || other === 0) return undefined;
  const factor = Number((other / plain).toFixed(4));
  return multiplyRate(plain, factor) === multiplyRate(other, 1) ? factor : undefined;
}

function isMultiple(rates: Rates, name: string, { suffix, factor }: { suffix: string; factor: number }): boolean {
  const variants = variantsOf(rates, name);
  return (
    variants.length > 0 &&
    variants.every((each) => {
      const [plain, other] = [rates[each], rates[each + suffix]];
      return (
        typeof plain === "number" && typeof other === "number" && multiplyRate(plain, factor) === multiplyRate(other, 1)
      );
    })
  );
}
