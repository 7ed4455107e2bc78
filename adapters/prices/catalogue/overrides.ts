import { hash } from "node:crypto";
import type { ModelPrice } from "../../../src/engine/api/rates.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import { toRate } from "../../../src/engine/metering/money.ts";
import type { ModelFacts } from "../../../src/engine/ports/prices.ts";
import { optional } from "./entry.ts";
import { readPriceFile } from "./price-file.ts";

/** Where the provider's name in common price maps is not ours. */
const providerNames: Readonly<Record<string, string>> = {
  azure_ai: "azure",
  azure_text: "azure",
  bedrock_converse: "bedrock",
  bedrock_mantle: "bedrock",
  codestral: "mistral",
  cohere_chat: "cohere",
  dashscope: "alibaba",
  fireworks_ai: "fireworks",
  jina_ai: "jina",
  nvidia_nim: "nvidia",
  "text-completion-codestral": "mistral",
  "text-completion-openai": "openai",
  together_ai: "together",
};

function ourProvider(theirs: string): string {
  // `vertex_ai-anthropic_models`, `vertex_ai-language-models`, …
  if (theirs.startsWith("vertex_ai")) return "vertex";
  return providerNames[theirs] ?? theirs;
}

/** Our provider and the vendor's own name of a model, from its name and `litellm_provider` in a common price map. */
export function readMapName(model: string, theirs: string): { provider: string; name: string } {
  const provider = ourProvider(theirs);
  const slash = model.indexOf("/");
  const isPrefixed = slash > 0 && ourProvider(model.slice(0, slash)) === provider;
  return { provider, name: isPrefixed ? model.slice(slash + 1) : model };
}

/** What a price file says of one model, or of all whose name begins so, from a time on. */
export interface Override {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** True when it states both the input and the output rate and so the whole price; false when it changes some rates and leaves the others. */
  readonly isWhole: boolean;
  readonly facts: Omit<ModelFacts, "provider" | "model">;
}

/** A price file, read. */
export interface Overrides {
  /** By `provider/model`, or `provider/prefix*`; the later of two that hold wins. */
  readonly byName: ReadonlyMap<string, readonly Override[]>;
  readonly providers: readonly string[];
  /** Patterns without their star, the longest first. */
  readonly prefixes: readonly string[];
  /** What of the file is not used; see {@link readPriceFile}. */
  readonly warnings: readonly string[];
  /** Changes when the content does. */
  readonly digest: string;
}

/**
 * Reads a price file in the common per-token map format, in that of models.dev, or with `provider/model` names. Costs stay whether or
 * not bills know them; keys that are neither costs nor sizes are left out. Throws `invalid_configuration`, naming the model and the field, for
 * a value of the wrong type, a cost that is no price, and a model that does not say whose it is.
 */
export function readOverrides(file: Readonly<Record<string, unknown>>): Overrides {
  const byName = new Map<string, Override[]>();
  const { entries: listed, warnings } = readPriceFile(file);
  for (const [model, value] of listed) {
    if (Array.isArray(value) && value.length === 0) throw invalid(model, "", "must hold a price");
    const entries = (Array.isArray(value) ? value : [value]).map((entry) => readEntry(model, entry));
    byName.set(
      nameOf(model, value),
      entries.sort((a, b) => a.from - b.from),
    );
  }
  return describe(byName, warnings);
}

function describe(byName: ReadonlyMap<string, readonly Override[]>, warnings: readonly string[]): Overrides {
  const names = [...byName.keys()];
  const prefixes = names.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  return {
    byName,
    providers: names.map((name) => name.slice(0, name.indexOf("/"))),
    prefixes: prefixes.sort((a, b) => b.length - a.length),
    warnings,
    digest: hash("sha256", JSON.stringify([...byName]), "hex").slice(0, 8),
  };
}

/** Lays prices over others: from the time from which one of them holds on, no other price of the same name does. */
export function layOver(base: Overrides, over: Overrides): Overrides {
  const byName = new Map(base.byName);
  for (const [name, entries] of over.byName) {
    const start = entries[0]?.from ?? 0;
    const before = (base.byName.get(name) ?? []).filter(({ from }) => from < start);
    byName.set(name, [...before, ...entries]);
  }
  return describe(byName, [...base.warnings, ...over.warnings]);
}

function invalid(model: string, field: string, reason: string): GatewayError {
  const param = ["prices", model, field].filter((part) => part !== "").join(".");
  const message = `The price of ${model} cannot be used: ${field === "" ? "it" : field} ${reason}`;
  return new GatewayError("invalid_configuration", message, { param });
}

/** `provider/model` in our words and in lower case. */
function nameOf(model: string, value: unknown): string {
  const [first] = Array.isArray(value) ? value : [value];
  const { litellm_provider: theirs } = first as ModelPrice;
  const slash = model.indexOf("/");
  if (theirs === undefined && slash > 0) {
    if (/\*./.test(model))
      throw invalid(model, "", "would match nothing: a star stands at the end, as in provider/prefix*");
    return model.toLowerCase();
  }
  if (typeof theirs !== "string")
    throw invalid(model, "litellm_provider", "must say whose price it is, unless the name does: provider/model");
  const { provider, name } = readMapName(model, theirs);
  return `${provider}/${name}`.toLowerCase();
}

function readEntry(model: string, entry: unknown): Override {
  if (typeof entry !== "object" || entry === null) throw invalid(model, "", "must be an object");
  const price = entry as Readonly<Record<string, unknown>>;
  const costs = Object.entries(price).filter(([name]) => /_cost|cost_per_/.test(name));
  for (const [name, value] of costs) checkCost(model, name, value);
  const sizeOf = (name: string) => readSize(model, name, price[name]);
  const input = sizeOf("max_input_tokens");
  return {
    from: readDay(model, price.effective_from),
    isWhole: price.input_cost_per_token !== undefined && price.output_cost_per_token !== undefined,
    facts: {
      ...(costs.length > 0 ? { rates: Object.freeze(Object.fromEntries(costs)) } : {}),
      ...(typeof price.mode === "string" ? { mode: price.mode } : {}),
      ...optional("max_input_tokens", input),
      ...optional("max_output_tokens", sizeOf("max_output_tokens") ?? sizeOf("max_tokens")),
    },
  };
}

/** A cost is a price that bills can keep, or several by name (a search fee by size). */
function checkCost(model: string, name: string, value: unknown): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    for (const [part, each] of Object.entries(value)) checkCost(model, `${name}.${part}`, each);
    return;
  }
  if (typeof value !== "number") throw invalid(model, name, "must be a number of dollars");
  try {
    toRate(value);
  } catch (error) {
    throw invalid(model, name, error instanceof RangeError ? `must be a price: ${error.message}` : String(error));
  }
}

function readSize(model: string, name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalid(model, name, "must be a whole number of tokens");
}

function readDay(model: string, value: unknown): number {
  if (value === undefined) return Number.NEGATIVE_INFINITY;
  const time =
    typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  // `Date.parse` takes 31 February for the third of March.
  if (!Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === value) return time;
  throw invalid(model, "effective_from", "must be a day that there is: YYYY-MM-DD");
}
