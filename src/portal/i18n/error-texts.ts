import type { GatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import { createBoundedCache } from "../../engine/runtime/bounded-cache.ts";
import { scopeAt } from "../call/call.ts";
import { defaultLanguage } from "../locales/languages.ts";
import { renderText, type TextParams } from "../locales/render.ts";
import { languageOf, type Reader, textsAt } from "./reader.ts";

/** An error in the language of its reader. */
export interface LocalizedError {
  readonly language: string;
  /** The key of the text of its code. */
  readonly key: string;
  readonly params: TextParams;
  /** The text in the reader's language; undefined in the default language, in which errors are written. */
  readonly message: string | undefined;
}

/** Returns an error in the language of its reader. */
export type Localize = (error: GatewayError, reader: Reader) => Promise<LocalizedError>;

/** The number of places whose texts are remembered until a text changes. */
const rememberedTexts = 100;

/** Returns the errors of a portal in the languages of their readers. */
export function createLocalize(records: Records): Localize {
  const remembered = createBoundedCache<ReadonlyMap<string, string>>(rememberedTexts);
  let stamp = records.stamp(["text"]);
  const textsFor = async (language: string, { caller }: Reader) => {
    const current = records.stamp(["text"]);
    if (current !== stamp) remembered.clear();
    stamp = current;
    const { reseller, client_id } = scopeAt(caller?.scope ?? {});
    const name = JSON.stringify([language, reseller, client_id]);
    const texts = remembered.get(name) ?? (await textsAt(records, language, caller?.scope ?? {}));
    remembered.set(name, texts);
    return texts;
  };
  return async (error, reader) => {
    const language = await languageOf(records, reader);
    const key = `error.${error.code}`;
    const params = paramsOf(error);
    if (language === defaultLanguage) return { language, key, params, message: undefined };
    const texts = await textsFor(language, reader);
    return { language, key, params, message: renderText(texts.get(key) ?? key, params, texts) };
  };
}

/** What is known of an error besides its code. */
function paramsOf({ param, provider, model, retryAfterMs }: GatewayError): TextParams {
  const seconds = retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1_000));
  const known = { param, provider, model, retry_after: seconds };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) as TextParams; // without the undefined ones
}
