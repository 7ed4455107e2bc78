import { GatewayError } from "../../errors.ts";
import { type PortalCall, placeAt } from "../call.ts";
import type { AreaBackend } from "../regions.ts";
import { notFound, readAll, write } from "../shelf.ts";
import { defaultLanguage, languages } from "../texts/languages.ts";
import { type OwnText, readTexts } from "../texts/read.ts";

/** The console's and the errors' texts; each level of the tree may say them its own way, and lower levels inherit that. */
export function i18nArea(): AreaBackend<"i18n"> {
  return {
    languages: () =>
      Object.entries(languages).map(([lang, { name }]) => ({ lang, name, default: lang === defaultLanguage })),
    async tokens({ lang }, call) {
      return Object.fromEntries(await textsIn(lang, call));
    },
    async table({ lang }, call) {
      const plain = await textsIn(defaultLanguage, call);
      const texts = await textsIn(lang, call);
      return [...texts].map(([key, value]) => ({ key, value, translated: value !== plain.get(key) }));
    },
    async setToken({ lang, key, value, insert }, call) {
      const known = await textsIn(lang, call);
      if (insert !== true && !known.has(key)) throw notFound("text", key);
      const { reseller, client_id, user_id } = placeAt(call.caller.place);
      if (user_id !== null)
        throw new GatewayError("permission_denied", "Texts belong to a client or a level above it, not to a user.");
      const id = JSON.stringify([reseller, client_id, lang, key]);
      const created_at = new Date(call.now).toISOString();
      await write(call.records, "text", {
        id,
        by: (present) => ({ ...(present ?? { id, created_at, reseller, client_id, lang, key }), value }),
      });
    },
  };
}

/** The texts of a language as the caller's level has them. Throws `not_found` for a language that there is not. */
async function textsIn(lang: string, call: PortalCall): Promise<ReadonlyMap<string, string>> {
  if (!Object.hasOwn(languages, lang)) throw notFound("language", lang);
  const { reseller, client_id } = placeAt(call.caller.place);
  const below: OwnText[] = (await readAll(call.records, "text")).filter(
    (text) => text.reseller === reseller && text.client_id === client_id,
  );
  return readTexts(lang, [...(await call.listAbove("text")), ...below]);
}
