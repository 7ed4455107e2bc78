import { GatewayError } from "../../engine/errors.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import { defaultLanguage, languages, showLanguages } from "../locales/languages.ts";
import type { AreaBackend } from "../regions.ts";
import { notFound, write } from "../tenancy/record-access.ts";
import { textsAt } from "./reader.ts";

/** The texts of the console and of errors. Each level of the tree may override them, and lower levels inherit that. */
export function i18nArea(): AreaBackend<"i18n"> {
  return {
    languages: () => showLanguages(),
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
      const { reseller, client_id, user_id } = scopeAt(call.caller.scope);
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

/** Returns the texts of a language at the caller's level. Throws `not_found` for an unknown language. */
async function textsIn(lang: string, call: PortalCall): Promise<ReadonlyMap<string, string>> {
  if (!Object.hasOwn(languages, lang)) throw notFound("language", lang);
  return textsAt(call.allRecords, lang, call.caller.scope);
}
