import { memo } from "../runtime/memo.ts";
import { matchesPattern, type Patterns } from "./glob.ts";
import { formatModelName, type ModelName, parseModelName, splitModelName } from "./model-name.ts";
import { bareName, locationPrefixes } from "./model-spelling.ts";

/** The names by which lists and rules know a model, all in lower case. */
export interface ModelIdentity {
  /** As the caller wrote it. */
  readonly own: string;
  /** One for all names that the catalogue calls one model. */
  readonly canonical: string;
  /** The canonical name without the location in front of it. */
  readonly withoutLocation: string;
  /** Without location, date, version and `-latest`: the name that stands for all of them. */
  readonly undated: string;
}

/** Finds a model's identity. */
export type Identify = (name: ModelName) => ModelIdentity;

/** Models whose identity is remembered. */
const rememberedModels = 4_000;

/** Identities by a catalogue, which says under which name it knows a model; `undefined` for one that it does not know. */
export function createIdentify(knownName: (name: ModelName) => string | undefined): Identify {
  const find = memo((text) => {
    const name = splitModelName(text);
    return identityOf(name, knownName(name));
  }, rememberedModels);
  return (name) => find(formatModelName(name));
}

/** Identities by the names alone. */
export const identifyByName: Identify = (name) => identityOf(name, undefined);

function identityOf({ provider, model }: ModelName, knownName: string | undefined): ModelIdentity {
  const own = model.toLowerCase();
  const canonical = knownName?.toLowerCase() ?? own.replace(/^models\/(?=.)/, "").replace(/(?<=.)-latest$/, "");
  const prefix = locationPrefixes[provider];
  const withoutLocation = prefix ? canonical.replace(prefix, "") : canonical;
  return { own, canonical, withoutLocation, undated: bareName(provider, withoutLocation) };
}

/** True when a listed name means the model: it is the same one, or the name of it without its location, or without its date too. */
export function isNamed({ own, canonical }: ModelIdentity, model: ModelIdentity): boolean {
  const { canonical: whole, withoutLocation, undated } = model;
  return canonical === whole || canonical === withoutLocation || canonical === undated || own === model.own;
}

/** True when a blocked name means the model: as {@link isNamed}, anywhere, and the undated name of a dated one, behind which that may be. */
export function isBlockedBy(listed: ModelIdentity, model: ModelIdentity): boolean {
  if (isNamed(listed, model) || listed.withoutLocation === model.withoutLocation) return true;
  return model.withoutLocation === model.undated && listed.undated === model.undated;
}

/** Whether listed names, or patterns with `*`, mean the models of one provider. Letter case does not matter. */
export function meansAny(
  patterns: readonly string[],
  { model, identify, isMeant = isNamed }: { model: ModelName; identify: Identify; isMeant?: typeof isNamed },
): boolean {
  const identity = identify(model);
  return patterns.some((pattern) =>
    pattern.includes("*")
      ? namesIn(identity).some((name) => matchesPattern(pattern.toLowerCase(), name))
      : isMeant(identify({ provider: model.provider, model: pattern }), identity),
  );
}

/** Whether a name, `provider/model` or without a provider, fits a pattern for such names. */
export function fitsName(patterns: Patterns, text: string, identify: Identify): boolean {
  const name = parseModelName(text) ?? { provider: "", model: text };
  const identity = identify(name);
  const prefix = name.provider === "" ? "" : `${name.provider}/`;
  return (typeof patterns === "string" ? [patterns] : patterns).some((pattern) => {
    if (pattern === text) return true;
    if (pattern.includes("*"))
      return namesIn(identity).some((each) => matchesPattern(pattern.toLowerCase(), prefix + each));
    if (prefix !== "" && !pattern.startsWith(prefix)) return false;
    return isNamed(identify({ ...name, model: pattern.slice(prefix.length) }), identity);
  });
}

function namesIn({ own, canonical, undated }: ModelIdentity): readonly string[] {
  return [own, canonical, undated];
}
