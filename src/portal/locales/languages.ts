import type { LanguageCode } from "../../operations/records/users.ts";
import { en, translations } from "./texts.ts";

/** A language with its own name for itself and the texts that come with the gateway. */
interface LanguageRow {
  readonly name: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** The languages, the default one first. */
export const languages: Readonly<Record<string, LanguageRow>> = {
  en: { name: "English", texts: en },
  it: { name: "Italiano", texts: translations.it },
  de: { name: "Deutsch", texts: translations.de },
  fr: { name: "Français", texts: translations.fr },
  es: { name: "Español", texts: translations.es },
} satisfies Record<LanguageCode, LanguageRow>;

/** What is shown where a language has no text of its own. */
export const defaultLanguage = "en";

/** Returns the languages with their names. */
export function showLanguages() {
  return Object.entries(languages).map(([lang, { name }]) => ({ lang, name, default: lang === defaultLanguage }));
}
