import type { Rates } from "../../../src/engine/api/rates.ts";
import { lines, plainName, units } from "../../../src/engine/metering/lines.ts";

const billedNames: ReadonlySet<string> = new Set(["search_cost_per_request", ...units.map((unit) => lines[unit].rate)]);

const imageVariant = /^output_cost_per_image_(?:above_\d+_and_\d+_pixels|(?:low|medium|high|auto)_quality)$/;

/** The names among a model's rates that no bill uses, so that whoever loads them can say so. */
export function unbilledNames(rates: Rates): string[] {
  return Object.keys(rates).filter((name) => !imageVariant.test(name) && !billedNames.has(plainName(name)));
}
