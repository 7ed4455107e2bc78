import { hash } from "node:crypto";
import { brotliCompressSync, constants } from "node:zlib";
import {
  modalityCodes,
  parameterCodes,
  rateCodes,
  searchCodes,
  serviceCodes,
} from "../../adapters/prices/catalogue/format.ts";
import type { Rates } from "../../src/engine/api/rates.ts";
import { toRate } from "../../src/engine/metering/money.ts";
import type { Period, SourceModel } from "./model.ts";
import { findMultiples } from "./multiples.ts";
import { sources } from "./sources.ts";

function lettersOf(values: readonly string[], codes: Readonly<Record<string, string>>): string {
  return Object.entries(codes)
    .flatMap(([letter, value]) => (values.includes(value) ? letter : []))
    .join("");
}

/** One line of the snapshot; the format is described where it is read. */
export function encodeModel(model: SourceModel): string {
  const mode = modeOf(model);
  const outputs = lettersOf(model.outputs, modalityCodes);
  const fields = [
    model.name,
    model.aliases.length > 0 && `=${model.aliases.join(" ")}`,
    mode !== "chat" && `M${mode}`,
    model.contextLength !== undefined && `c${model.contextLength}`,
    model.maxOutputTokens !== undefined && mode === "chat" && `m${model.maxOutputTokens}`,
    model.inputs.length > 0 && `I${lettersOf([...model.inputs, "text"], modalityCodes)}`,
    outputs !== "" && `O${outputs}`,
    model.parameters.length > 0 && `P${lettersOf(model.parameters, parameterCodes)}`,
    model.periods.length > 0 && `$${model.periods.map(encodePeriod).join(";")}`,
  ];
  return fields.filter((field) => field !== false).join("|");
}

/** What a model does, by its name where the sources do not state it. */
function modeOf({ name, mode }: Pick<SourceModel, "name" | "mode">): string {
  if (/rerank/i.test(name)) return "rerank";
  if (/embed|^voyage-|(^|\/)(e5|bge|gte)-|\bm2-bert/i.test(name)) return "embedding";
  if (mode !== undefined) return mode;
  if (/dall-e|gpt-image|imagen|(^|\/)flux|stable-diffusion/i.test(name)) return "image_generation";
  if (/transcri|whisper/i.test(name)) return "audio_transcription";
  if (/(^|[-/])tts(-|$)|orpheus/i.test(name)) return "audio_speech";
  return /moderation|guard/i.test(name) ? "moderation" : "chat";
}

function encodePeriod({ from, window, rates }: Period): string {
  const day = from === undefined ? "" : `@${from.replaceAll("-", "")}`;
  const hours = window
    ? `~${window.start}-${window.end}${window.days.length > 0 ? `/${window.days.join("")}` : ""}`
    : "";
  return `${day}${hours}${day || hours ? ":" : ""}${encodeRates(rates)}`;
}

/** Rates as the snapshot writes them; those of service tiers as multiples of the plain ones where they are exactly that. */
export function encodeRates(rates: Rates): string {
  const { multiples, covered } = findMultiples(rates);
  const prices = Object.keys(rates)
    .filter((name) => !covered.has(name))
    .flatMap((name) => encodeRate(name, rates))
    .sort((a, b) => order(a) - order(b));
  return [...prices, ...multiples].join(" ");
}

/** Plain rates first, in the order of their codes, then tiers, then service tiers. */
function order(price: string): number {
  const variant = (price.includes(">") ? 100 : 0) + (/[\d.][pfbdu]$/.test(price) ? 200 : 0);
  return variant + Object.keys(rateCodes).indexOf(price.charAt(0));
}

function encodeRate(name: string, rates: Rates): string[] {
  const value = rates[name];
  if (typeof value === "object" && value !== null && new Set(Object.values(value)).size === 1)
    return [`s${decimal(Object.values(value as Record<string, number>)[0]!)}`];
  if (typeof value === "object" && value !== null)
    return Object.entries(searchCodes).map(
      ([code, size]) => `${code}${decimal((value as Record<string, number>)[size]!)}`,
    );
  const [, base = "", thousands, service = ""] =
    /^(.*?)(?:_above_(\d+)k_tokens)?(_priority|_flex|_batches|_decisions|_ultrafast)?$/.exec(name) ?? [];
  const code = Object.entries(rateCodes).find(([, rate]) => rate.name === base);
  if (!code || typeof value !== "number") throw new Error(`the snapshot has no code for ${name}`);
  const letter = Object.entries(serviceCodes).find(([, suffix]) => suffix === service)?.[0] ?? "";
  const dollars = code[1].per === "million" ? toRate(value) / 1e6 : value;
  return [`${code[0]}${decimal(dollars)}${thousands ? `>${thousands}` : ""}${letter}`];
}

/** The shortest plain decimal. */
function decimal(dollars: number): string {
  return dollars
    .toFixed(12)
    .replace(/\.?0+$/, "")
    .replace(/^0\./, ".");
}

/** The snapshot in both its forms. */
export interface Snapshot {
  /** A TypeScript module that programs load. */
  readonly module: string;
  /** The same lines to read and to compare. */
  readonly text: string;
}

/** The whole snapshot: in the module a packed string per provider, because a string costs nothing until it is read. */
export function encodeSnapshot(models: readonly SourceModel[], date: string): Snapshot {
  const names = [...new Set(models.map(({ provider }) => provider))].sort();
  const texts = names.map((name) => {
    const own = models.filter(({ provider }) => provider === name).sort((a, b) => (a.name < b.name ? -1 : 1));
    return [name, own.map(encodeModel).join("\n")] as const;
  });
  const digest = hash("sha256", JSON.stringify(texts), "hex").slice(0, 8);
  const version = `${date}.${digest}`;
  const text = texts.map(([provider, lines]) => `[${provider}]\n${lines}\n`).join("\n");
  return {
    module: writeModule(texts, version),
    text: `# ${version}, made by scripts/build-catalogue.ts; do not edit.\n\n${text}`,
  };
}

/** A text as the modules of the catalogue hold it; `unpack.ts` reads it. */
export function pack(text: string): string {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  return brotliCompressSync(text, { params }).toString("base64");
}

function writeModule(texts: readonly (readonly [provider: string, lines: string])[], version: string): string {
  const lines = texts.map(([provider, text]) => `  ${provider}:\n    ${JSON.stringify(pack(text))},`);
  const packages = Object.values(sources).map(
    ({ name, version, licence }) => `  ${JSON.stringify({ name, version, licence })},`,
  );
  return `// Made by scripts/build-catalogue.ts. Facts and figures only; what they come from is named in \`sources\`.

/** Names the data: the day it was made, and a digest of it. */
export const version = "${version}";

/** The packages whose public data this is made from, and vendors' own pages where docs/decisions/0006-prices.md says so. */
export const sources = [
${packages.join("\n")}
] as const;

/** Models and prices by provider, in the format that \`format.ts\` reads, packed; scripts/catalogue/snapshot.txt has them to read. */
export const providers: Readonly<Record<string, string>> = {
${lines.join("\n")}
};
`;
}
