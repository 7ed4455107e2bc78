import { hash } from "node:crypto";
import { ModelPrice, rateNames } from "../../../src/api/rates.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { ModelFacts } from "../../../src/ports.ts";
import { toRate } from "../../../src/usage/money.ts";
import { given } from "./entry.ts";

/** What a price file says of one model, or of all whose name begins so, from a time on. */
export interface Override {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** True when it states the whole price; false when it changes some rates and leaves the others. */
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
  /** What was kept and has no effect on bills, for a log. */
  readonly warnings: readonly string[];
  /** Changes when the content does. */
  readonly digest: string;
}

/** Where the provider's name in common price maps is not ours. */
const providerNames: Readonly<Record<string, string>> = {
  azure_ai: "azure",
  bedrock_converse: "bedrock",
  cohere_chat: "cohere",
  dashscope: "alibaba",
  fireworks_ai: "fireworks",
  jina_ai: "jina",
  nvidia_nim: "nvidia",
  "text-completion-openai": "openai",
  together_ai: "together",
};

const rateSet: ReadonlySet<string> = new Set(rateNames);

/**
 * Reads a price file in the common per-token map format (or one written for us with `provider/model` names). Keys that mean
 * nothing here are kept quiet, unless they are costs: those are named in `warnings`. Throws `invalid_configuration`, naming the
 * model and the field, for a value of the wrong type and for a model that does not say whose it is.
 */
export function readOverrides(file: Readonly<Record<string, unknown>>): Overrides {
  const byName = new Map<string, Override[]>();
  const ignored = new Map<string, string>();
  for (const [key, value] of Object.entries(file)) {
    // The documentation of the format, written as an entry of it.
    if (key === "sample_spec") continue;
    for (const entry of Array.isArray(value) ? value : [value]) {
      const price = checkPrice(key, entry);
      const name = nameOf(key, price.litellm_provider);
      byName.set(
        name,
        [...(byName.get(name) ?? []), toOverride(key, price, ignored)].sort((a, b) => a.from - b.from),
      );
    }
  }
  const prefixes = [...byName.keys()].filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  const warnings = [...ignored].map(([field, model]) => `${field} is not billed (first seen at ${model})`);
  const digest = hash("sha256", JSON.stringify([...byName]), "hex").slice(0, 8);
  const providers = [...byName.keys()].map((name) => name.slice(0, name.indexOf("/")));
  return { byName, providers, prefixes: prefixes.sort((a, b) => b.length - a.length), warnings, digest };
}

function checkPrice(key: string, entry: unknown): ModelPrice {
  const checked = ModelPrice.safeParse(entry);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw invalid(key, issue?.path.join(".") ?? "", issue?.message ?? "is not a price");
}

function invalid(model: string, field: string, reason: string): GatewayError {
  const param = ["prices", model, field].filter((part) => part !== "").join(".");
  return new GatewayError(
    "invalid_configuration",
    `The price of ${model} cannot be used: ${field || "entry"}: ${reason}`,
    { param },
  );
}

/** `provider/model` in our words, lower case. */
function nameOf(key: string, theirs: string | undefined): string {
  const slash = key.indexOf("/");
  if (theirs === undefined) {
    if (slash <= 0)
      throw invalid(key, "", "the name does not say whose price it is; write provider/model or add litellm_provider");
    return key.toLowerCase();
  }
  const provider = providerNames[theirs] ?? (theirs.startsWith("vertex_ai") ? "vertex" : theirs);
  const head = key.slice(0, Math.max(0, slash));
  const isPrefixed =
    head !== "" &&
    (head === provider ||
      head === theirs ||
      providerNames[head] === provider ||
      (head === "vertex_ai" && provider === "vertex"));
  return `${provider}/${isPrefixed ? key.slice(slash + 1) : key}`.toLowerCase();
}

function toOverride(key: string, price: ModelPrice, ignored: Map<string, string>): Override {
  const rates: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(price)) {
    if (value === undefined) continue;
    if (isRateName(name)) rates[name] = checkRate(key, name, value);
    else if (/cost|price/.test(name)) ignored.set(name, ignored.get(name) ?? key);
  }
  const { max_input_tokens: input, max_output_tokens: output = price.max_tokens, effective_from: from } = price;
  const isPriced = Object.keys(rates).length > 0;
  return {
    from: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(`${from}T00:00:00Z`),
    isWhole: price.input_cost_per_token !== undefined,
    facts: {
      ...(isPriced ? { rates: Object.freeze(rates) } : {}),
      ...given("mode", price.mode),
      ...given("max_input_tokens", input),
      ...given("max_output_tokens", output),
      ...given("context_length", input),
    },
  };
}

/** A rate that bills know: a listed name, or a listed name in another tier or service tier. */
function isRateName(name: string): boolean {
  return rateSet.has(name) || rateSet.has(name.replace(/(_above_\d+k_tokens)?(_priority|_flex|_batches)?$/, ""));
}

/** The bounds of rates that the schema does not list by name, and of prices too small to be kept. */
function checkRate(key: string, name: string, value: unknown): unknown {
  const dollars = typeof value === "object" && value !== null ? Object.values(value) : [value];
  for (const each of dollars) {
    try {
      toRate(Number(typeof each === "number" ? each : Number.NaN));
    } catch (error) {
      throw invalid(key, name, (error as RangeError).message);
    }
  }
  return value;
}
