import { fieldOf, type SentBody, withField, withoutField } from "./body-fields.ts";

/** What a model takes otherwise than this release says. */
export interface ModelRules {
  /** Efforts by the word that the model has for them; one that stands for itself is taken as it is. */
  readonly efforts?: Readonly<Record<string, string>> | undefined;
  /** Service tiers, likewise. */
  readonly tiers?: Readonly<Record<string, string>> | undefined;
  /** Parameters of the vendor's request that the model takes (true) or refuses (false): `temperature`, `text.verbosity`. */
  readonly parameters?: Readonly<Record<string, boolean>> | undefined;
}

/** The rules for a model; `undefined` where this release's hold. */
export type RulesByModel = (model: string) => ModelRules | undefined;

/** A model of a vendor, and where to name what it is sent in place of what was asked for. */
export interface RuledTarget {
  readonly provider: string;
  readonly model: string;
  warn(warning: string): void;
}

/** The places of efforts and tiers in the bodies of both interfaces of OpenAI; native adapters write them by the rules themselves. */
const effortFields = ["reasoning_effort", "reasoning.effort"] as const;
const tierFields = ["service_tier"] as const;

/** The body as the rules of its model have it; each deviation is named in a warning. */
export function byRules(body: SentBody, rules: ModelRules, to: RuledTarget): SentBody {
  const taken = withoutRuledOut(body, rules, to);
  const inWords = effortFields.reduce((left, path) => inWordsOf(rules.efforts, left, { path, to }), taken);
  return tierFields.reduce((left, path) => inWordsOf(rules.tiers, left, { path, to }), inWords);
}

/** The body without the parameters that the rules of its model refuse; each is named in a warning. */
export function withoutRuledOut(body: SentBody, { parameters = {} }: ModelRules, to: RuledTarget): SentBody {
  const refused = Object.keys(parameters).filter((path) => parameters[path] === false);
  return refused.reduce((left, path) => withoutRefused(left, path, to), body);
}

/** The body without a parameter that its model refuses, which is named in a warning. */
export function withoutRefused(body: SentBody, path: string, to: RuledTarget): SentBody {
  if (fieldOf(body, path) === undefined) return body;
  to.warn(`\`${path}\` is not supported by ${to.model} of ${to.provider}`);
  return withoutField(body, path);
}

/** The model's word for an effort or a tier; `undefined` where the rules have none. */
export function wordOf(words: ModelRules["efforts"], requested: string | undefined): string | undefined {
  return requested !== undefined && words && Object.hasOwn(words, requested) ? words[requested] : undefined;
}

interface Word {
  readonly path: string;
  readonly to: RuledTarget;
}

function inWordsOf(words: ModelRules["efforts"], body: SentBody, { path, to }: Word): SentBody {
  const asked = fieldOf(body, path);
  const word = typeof asked === "string" ? wordOf(words, asked) : undefined;
  if (word === undefined || word === asked) return body;
  to.warn(`\`${path}\` "${asked}" is "${word}" at ${to.model} of ${to.provider}`);
  return withField(body, path, word);
}
