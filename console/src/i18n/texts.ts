import { languages } from "virtual:languages";
import { texts as english } from "virtual:texts/en";
import type { Texts } from "../../../src/portal/locales/texts.ts";
import { send } from "../api/request.ts";
import { createStore, useStore } from "../api/store.ts";
import { preferences } from "../app/preferences.ts";

/** A text of the console, by its key. */
export type TextKey = keyof Texts;

/** The languages that the console speaks: code → own name. */
export { languages };

interface Spoken {
  readonly lang: string;
  readonly texts: Readonly<Record<string, string>>;
}

const spoken = createStore<Spoken>({ lang: "en", texts: english });

const bundled: Readonly<Record<string, () => Promise<{ texts: Readonly<Record<string, string>> }>>> = {
  de: () => import("virtual:texts/de"),
  es: () => import("virtual:texts/es"),
  fr: () => import("virtual:texts/fr"),
  it: () => import("virtual:texts/it"),
};

/** The caller's language: the chosen one, else the browser's first that the console speaks. */
function pickLanguage(): string {
  const chosen = preferences.get().language;
  const wanted = [chosen, ...navigator.languages].map((tag) => tag?.split("-")[0] ?? "");
  return wanted.find((tag) => Object.hasOwn(languages, tag)) ?? "en";
}

/** The English words that have been loaded: those of screens that few open come with the first of them. */
let known: Readonly<Record<string, string>> = english;

/** Adds the English words of the screens that few open; other languages have all of theirs at once. Rejects without a connection. */
export async function loadLateTexts(): Promise<void> {
  if (known !== english) return;
  const { texts: late } = await import("virtual:texts/late");
  known = { ...english, ...late };
  spoken.set({ ...spoken.get(), texts: { ...known, ...spoken.get().texts } });
}

/** Speaks the caller's language with the texts of this build. */
export async function loadLanguage(): Promise<void> {
  const lang = pickLanguage();
  const own = (await bundled[lang]?.().catch(() => undefined))?.texts ?? {};
  spoken.set({ lang, texts: { ...known, ...own } });
  document.documentElement.lang = lang;
}

/** Takes the texts that the caller's tenant has set over those of this build. */
export async function loadTenantTexts(): Promise<void> {
  const { lang } = spoken.get();
  const answer = await send({ method: "GET", path: `i18n/lang/${lang}`, fields: {} }).catch(() => undefined);
  if (answer?.value && spoken.get().lang === lang)
    spoken.set({ lang, texts: { ...spoken.get().texts, ...(answer.value as Record<string, string>) } });
}

/** Returns the text with that key, and `{name}` in it filled in. */
export function text(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return textOf(key, values);
}

/** The same for a key that the gateway sent: a dashboard's, an error's. */
export function textOf(key: string, values: Readonly<Record<string, string | number>> = {}): string {
  const found = spoken.get().texts[key] ?? key;
  return found.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** True where a text has that key. */
export function hasText(key: string): boolean {
  return spoken.get().texts[key] !== undefined;
}

/** The language that is spoken; renders again when it changes. */
export function useLanguage(): string {
  return useStore(spoken).lang;
}

/** The language that is spoken. */
export function language(): string {
  return spoken.get().lang;
}
