import type { ProviderConfig } from "../../api/governance.ts";
import { UsageError, type Values } from "../command.ts";
import { writeLimits } from "./limits.ts";

/** Options that say whom a key may ask. */
export const accessOptions = {
  allow: {
    kind: "list",
    value: "pattern",
    about: "models it may ask: openai/gpt-5, 'openai/*' or '*'; may be repeated",
  },
  block: {
    kind: "list",
    value: "pattern",
    about: "models it may not ask, even where --allow covers them; may be repeated",
  },
  provider: { kind: "list", value: "name[=weight]", about: "all models of a provider, with its share of the requests" },
} as const;

type AccessValues = Values<typeof accessOptions>;

/** Whether the options say anything of access. */
export function setsAccess({ allow, block, provider }: AccessValues): boolean {
  return [allow, block, provider].some((each) => each !== undefined);
}

interface Entry {
  readonly allowed: string[];
  readonly blocked: string[];
  weight: number | undefined;
}

/**
 * The provider entries that the options make. Limits, weights and credentials stay those of the present entry of the provider, or of `*`
 * where that one spoke for it. Throws where limits would go missing for a provider that may still be asked.
 */
export function readAccess(values: AccessValues, present: readonly ProviderConfig[] = []): ProviderConfig[] {
  const entries = new Map<string, Entry>();
  const entryOf = (provider: string): Entry => {
    const entry = entries.get(provider) ?? { allowed: [], blocked: [], weight: undefined };
    entries.set(provider, entry);
    return entry;
  };
  for (const text of values.provider ?? []) {
    const [, name = "", weight] = /^([^=]+)(?:=(\d+(?:\.\d+)?))?$/.exec(text) ?? [];
    if (name === "") throw new UsageError(`--provider must be a name, or name=weight, not "${text}".`, "");
    const entry = entryOf(name);
    entry.allowed.push("*");
    if (weight !== undefined) entry.weight = Number(weight);
  }
  for (const given of values.allow ?? []) {
    const text = readPattern("--allow", given);
    entryOf(ownerOf(text)).allowed.push(patternOf(text));
  }
  for (const text of values.block ?? []) blockIn(entries, readPattern("--block", text));
  if (entries.has("*")) refuseLoss(present.filter(({ provider }) => !entries.has(provider)));
  return [...entries].map(([provider, { allowed, blocked, weight }]) => {
    const before = entryFor(present, provider);
    return {
      ...{ weight: 1, key_ids: ["*"], budgets: [], rate_limits: [], ...before },
      provider,
      ...(weight === undefined ? {} : { weight }),
      allowed_models: allowed,
      blocked_models: blocked,
    };
  });
}

function entryFor(entries: readonly ProviderConfig[], provider: string): ProviderConfig | undefined {
  return entries.find((each) => each.provider === provider) ?? entries.find((each) => each.provider === "*");
}

/** Entries in whose place only `*` is left must have no limits: nobody would see them go. */
function refuseLoss(gone: readonly ProviderConfig[]): void {
  for (const entry of gone) {
    const limits = writeLimits(entry).join(", ");
    if (limits === "") continue;
    const { provider } = entry;
    const hint = `Name it, too (--allow '${provider}/*'), or take them away first with key limit --provider ${provider}.`;
    throw new UsageError(`The limits of ${provider} (${limits}) would be lost: only * is left for it.`, hint);
  }
}

/** What is blocked holds in the entry of its provider, else in that of `*`; what was not allowed need not be blocked. */
function blockIn(entries: ReadonlyMap<string, Entry>, text: string): void {
  const owner = ownerOf(text);
  const concerned = owner === "*" ? [...entries.values()] : [entries.get(owner) ?? entries.get("*")];
  if (concerned.length === 0 || concerned[0] === undefined)
    throw new UsageError(
      `--block ${text} blocks what is not allowed.`,
      "Nothing is, unless --allow or --provider says so.",
    );
  for (const entry of concerned) entry?.blocked.push(text);
}

/** A pattern that names something. */
function readPattern(option: string, text: string): string {
  if (text !== "" && !/^\/|\/$/.test(text)) return text;
  const hint = "A model is openai/gpt-5 or gpt-5, all models of a provider are 'openai/*', and everything is '*'.";
  throw new UsageError(`${option} must be a pattern of models, not "${text}".`, hint);
}

/** The provider that a pattern is about; `*` where it names none. */
function ownerOf(pattern: string): string {
  const slash = pattern.indexOf("/");
  return slash <= 0 ? "*" : pattern.slice(0, slash);
}

/** `openai/*` is everything of the entry for openai. */
function patternOf(pattern: string): string {
  return /^[^/]+\/\*$/.test(pattern) ? "*" : pattern;
}

/** Whom a key may ask, in a line: `openai/*, groq/llama-4; not openai/o1-pro`. */
export function writeAccess(entries: readonly ProviderConfig[]): string {
  if (entries.length === 0) return "nobody";
  const allowed = entries.flatMap(({ provider, allowed_models }) =>
    allowed_models.map((model) => nameIn(provider, model)),
  );
  const blocked = [...new Set(entries.flatMap(({ blocked_models }) => blocked_models))];
  return `${allowed.join(", ") || "nobody"}${blocked.length === 0 ? "" : `; not ${blocked.join(", ")}`}`;
}

function nameIn(provider: string, model: string): string {
  if (provider === "*" || model.startsWith(`${provider}/`)) return model;
  return `${provider}/${model}`;
}
