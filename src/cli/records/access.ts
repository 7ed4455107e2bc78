import type { ProviderConfig } from "../../engine/api/governance.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import type { Values } from "../program/command.ts";
import { writeLimits } from "./limits/limits.ts";
import { toolOptions } from "./tools.ts";

export { readTools } from "./tools.ts";

/** Options that set the models and the tools a key may use. */
export const accessOptions = {
  ...toolOptions,
  allow: {
    kind: "list",
    value: "pattern",
    about: "models to allow: openai/gpt-5, 'openai/*' or '*'; repeatable",
  },
  block: {
    kind: "list",
    value: "pattern",
    about: "models to block, even if --allow covers them; repeatable",
  },
  provider: {
    kind: "list",
    value: "name[=weight]",
    about: "allow all models of a provider, with its share of the requests",
  },
} as const;

type AccessValues = Values<typeof accessOptions>;

/** Every pattern that the options name. */
export function patternsOf({ allow = [], block = [], provider = [] }: AccessValues): string[] {
  return [...allow, ...block, ...provider.map((text) => `${text.replace(/=.*$/, "")}/*`)];
}

/** Whether the options say anything of access. */
export function setsAccess({ allow, block, provider }: AccessValues): boolean {
  return [allow, block, provider].some((each) => each !== undefined);
}

interface AccessOptions {
  readonly allowed: string[];
  readonly blocked: string[];
  weight: number | undefined;
}

/**
 * Returns the provider entries for the options. Limits, weights and credentials come from the present entry of the provider, or from `*`
 * if that entry covered it. Throws `UsageError` if a provider that stays allowed would lose its limits.
 */
export function readAccess(values: AccessValues, present: readonly ProviderConfig[] = []): ProviderConfig[] {
  const entries = new Map<string, AccessOptions>();
  const entryOf = (provider: string): AccessOptions => {
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
  for (const value of values.allow ?? []) {
    const text = readPattern("--allow", value);
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

/** Throws if an entry with limits would be covered by `*` only, because its limits would be lost silently. */
function refuseLoss(gone: readonly ProviderConfig[]): void {
  for (const entry of gone) {
    const limits = writeLimits(entry).join(", ");
    if (limits === "") continue;
    const { provider } = entry;
    const hint = `Add --allow '${provider}/*', or remove the limits first with tollgate key limit --provider ${provider}.`;
    throw new UsageError(`The limits of ${provider} (${limits}) would be lost: only the entry * would cover it.`, hint);
  }
}

/** What is blocked holds in the entry of its provider, else in that of `*`; what was not allowed need not be blocked. */
function blockIn(entries: ReadonlyMap<string, AccessOptions>, text: string): void {
  const owner = ownerOf(text);
  const concerned = owner === "*" ? [...entries.values()] : [entries.get(owner) ?? entries.get("*")];
  if (concerned.length === 0 || concerned[0] === undefined)
    throw new UsageError(
      `--block ${text} blocks a model that is not allowed.`,
      "Allow models with --allow or --provider.",
    );
  for (const entry of concerned) entry?.blocked.push(text);
}

/** A pattern that names something. */
function readPattern(option: string, text: string): string {
  if (text !== "" && !/^\/|\/$/.test(text)) return text;
  const hint =
    "Write one model as openai/gpt-5 or gpt-5, all models of a provider as 'openai/*', and all models as '*'.";
  throw new UsageError(`${option} must be a model pattern, not "${text}".`, hint);
}

/** The provider of a pattern; `*` if it names none. */
function ownerOf(pattern: string): string {
  const slash = pattern.indexOf("/");
  return slash <= 0 ? "*" : pattern.slice(0, slash);
}

/** `openai/*` is everything of the entry for openai. */
function patternOf(pattern: string): string {
  return /^[^/]+\/\*$/.test(pattern) ? "*" : pattern;
}

/** Describes the access of a key in one line: `openai/*, groq/llama-4; not openai/o1-pro`. */
export function writeAccess(entries: readonly ProviderConfig[]): string {
  if (entries.length === 0) return "nothing";
  const allowed = entries.flatMap(({ provider, allowed_models }) =>
    allowed_models.map((model) => nameIn(provider, model)),
  );
  const blocked = [...new Set(entries.flatMap(({ blocked_models }) => blocked_models))];
  return `${allowed.join(", ") || "nothing"}${blocked.length === 0 ? "" : `; not ${blocked.join(", ")}`}`;
}

function nameIn(provider: string, model: string): string {
  if (provider === "*" || model.startsWith(`${provider}/`)) return model;
  return `${provider}/${model}`;
}
