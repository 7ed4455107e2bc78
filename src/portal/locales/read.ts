import { defaultLanguage, languages } from "./languages.ts";

/** A text that a tenant set, for one language. */
export interface OwnText {
  readonly lang: string;
  readonly key: string;
  readonly value: string;
}

/**
 * All texts of a language by their keys: what was set (of several the last counts: give them from the top of the tree of tenants down),
 * else what comes with the gateway, else the default language's, else the key itself. Every key that any language has is there.
 */
export function readTexts(lang: string, own: readonly OwnText[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const fill = (entries: readonly (readonly [key: string, value: string])[]) => {
    for (const [key, value] of entries) texts.set(key, value);
  };
  fill(own.map(({ key }) => [key, key]));
  for (const one of new Set([defaultLanguage, lang])) {
    fill(Object.entries(languages[one]?.texts ?? {}));
    fill(own.filter((text) => text.lang === one).map(({ key, value }) => [key, value]));
  }
  return texts;
}
