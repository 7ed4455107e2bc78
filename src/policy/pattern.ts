import type { ModelName } from "../route/model-name.ts";

/** Says whether a model of one provider is meant. */
export type ModelTest = (name: ModelName) => boolean;

/** Patterns, sorted by kind. */
interface Patterns {
  readonly names: ReadonlySet<string>;
  /** `openai/` of `openai/*`. */
  readonly prefixes: readonly string[];
  readonly isAll: boolean;
}

function readPatterns(patterns: readonly string[]): Patterns {
  const prefixes = patterns.filter((pattern) => pattern.endsWith("/*")).map((pattern) => pattern.slice(0, -1));
  const names = new Set(patterns.filter((pattern) => !pattern.endsWith("/*") && pattern !== "*"));
  return { names, prefixes, isAll: patterns.includes("*") };
}

function matches({ names, prefixes, isAll }: Patterns, { provider, model }: ModelName): boolean {
  if (isAll || names.has(model)) return true;
  if (names.size === 0 && prefixes.length === 0) return false;
  const full = `${provider}/${model}`;
  return names.has(full) || prefixes.some((prefix) => full.startsWith(prefix));
}

/**
 * The test that an entry's patterns stand for. A pattern is `*` (all), a model's own name or `provider/model` (that one, letter by
 * letter), or a beginning of `provider/model` that ends with `/*` (`openai/*`, `openrouter/meta-llama/*`). `blocked` wins, and
 * what is not allowed is not allowed: an empty list allows nothing.
 */
export function testModels(allowed: readonly string[], blocked: readonly string[]): ModelTest {
  const isAllowed = readPatterns(allowed);
  const isBlocked = readPatterns(blocked);
  return (name) => matches(isAllowed, name) && !matches(isBlocked, name);
}
