import { type Identify, identifyByName, isBlockedBy, isNamed, type ModelIdentity } from "../routing/model-identity.ts";
import { formatModelName, type ModelName, splitModelName } from "../routing/model-name.ts";
import { memo } from "../runtime/memo.ts";

/** Says whether a model of one provider is meant. */
export type ModelTest = (name: ModelName) => boolean;

/**
 * The test that an entry's patterns stand for. A pattern is `*` (all), a model's own name or `provider/model` (that model, under each
 * of its names), or a beginning of `provider/model` that ends with `/*` (`openai/*`, `openrouter/meta-llama/*`). Letter case does not
 * matter. `blocked` wins, and what is not allowed is not allowed: an empty list allows nothing.
 */
export function testModels(
  allowed: readonly string[],
  blocked: readonly string[],
  identify: Identify = identifyByName,
): ModelTest {
  const isAllowed = testPatterns(allowed, identify);
  if (blocked.length === 0) return isAllowed;
  const isBlocked = testPatterns(blocked, identify, isBlockedBy);
  return (name) => isAllowed(name) && !isBlocked(name);
}

/** The test of the names that stand among the patterns themselves: what only `*` or a beginning allows is not named. */
export function testNames(allowed: readonly string[], identify: Identify = identifyByName): ModelTest {
  const names = allowed.filter((pattern) => !isGeneral(pattern));
  return testPatterns(names, identify);
}

function isGeneral(pattern: string): boolean {
  return pattern === "*" || pattern.endsWith("/*");
}

/** Models of which a list remembers whether it means them. */
const rememberedModels = 1_000;

function testPatterns(patterns: readonly string[], identify: Identify, isMeant = isNamed): ModelTest {
  if (patterns.includes("*")) return () => true;
  if (patterns.length === 0) return () => false;
  const beginnings = patterns.filter(isGeneral).map((pattern) => pattern.slice(0, -1).toLowerCase());
  const names = patterns.filter((pattern) => !isGeneral(pattern));
  const test = memo((text) => {
    const name = splitModelName(text);
    const { provider } = name;
    const identity = identify(name);
    if (hasBeginning(provider, identity, beginnings)) return true;
    return namesFor(provider, names).some((model) => isMeant(identify({ provider, model }), identity));
  }, rememberedModels);
  return (name) => test(formatModelName(name));
}

/** What names mean of one provider: `openai/gpt-5` may be its model `gpt-5`, or its model of just that name (of a router). */
function namesFor(provider: string, names: readonly string[]): readonly string[] {
  const prefix = `${provider}/`;
  return names.flatMap((name) => (name.startsWith(prefix) ? [name, name.slice(prefix.length)] : [name]));
}

function hasBeginning(provider: string, { own, canonical }: ModelIdentity, beginnings: readonly string[]): boolean {
  const prefix = `${provider.toLowerCase()}/`;
  return beginnings.some((each) => `${prefix}${own}`.startsWith(each) || `${prefix}${canonical}`.startsWith(each));
}
