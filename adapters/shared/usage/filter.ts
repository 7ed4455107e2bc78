import { GatewayError } from "../../../src/engine/errors.ts";
import {
  type Dimension,
  type DimensionValue,
  namedDimensions,
  type UsageFilters,
} from "../../../src/engine/ports/ledger.ts";
import { type LedgerFact, readDimension } from "./ledger-facts.ts";

/** A filter in one form: the dimension and all the values that it lets through. */
export type Filter = readonly [dimension: Dimension, values: readonly DimensionValue[]];

const known: ReadonlySet<string> = new Set(namedDimensions);

/** Refuses what is no dimension, naming it in `param`. */
export function checkDimensions(dimensions: readonly string[], param: "group_by" | "filters"): readonly Dimension[] {
  const unknown = dimensions.find((name) => !known.has(name) && !/^metadata\../.test(name));
  if (unknown === undefined) return dimensions as readonly Dimension[];
  throw new GatewayError("invalid_request", `\`${unknown}\` is no dimension of usage.`, {
    param: `${param}.${unknown}`,
  });
}

/** The filters of a question, checked. */
export function readFilters(filters: UsageFilters = {}): readonly Filter[] {
  const raw = Object.entries(filters).filter(([, value]) => value !== undefined);
  checkDimensions(
    raw.map(([dimension]) => dimension),
    "filters",
  );
  return raw.map(([dimension, value]) => readFilter(dimension as Dimension, Array.isArray(value) ? value : [value]));
}

/** A status is a number, everything else a text, and `null` stands for entries without one. */
function readFilter(dimension: Dimension, values: readonly DimensionValue[]): Filter {
  const type = dimension === "status" ? "number" : "string";
  if (values.every((value) => value === null || typeof value === type)) return [dimension, values];
  const words = type === "number" ? "numbers" : "texts";
  throw new GatewayError("invalid_request", `\`${dimension}\` is filtered by ${words}.`, {
    param: `filters.${dimension}`,
  });
}

/** True when every filter lets the fact through. */
export function passes(fact: LedgerFact, filters: readonly Filter[]): boolean {
  return filters.every(([dimension, values]) => values.includes(readDimension(fact, dimension)));
}
