import { z } from "zod";
import { op } from "../../define.ts";
import { fieldName, flag } from "../fields.ts";

/** A language of the console. */
export const Language = z.object({
  default: flag,
  lang: z.string(),
  name: z.string(),
});
export type Language = z.output<typeof Language>;

/** A text and whether it differs from the default language's. */
export const LanguageTokenRow = z.object({
  key: z.string(),
  translated: flag,
  value: z.string(),
});
export type LanguageTokenRow = z.output<typeof LanguageTokenRow>;

/** The console's texts by language. */
export const i18n = {
  tokens: op("GET /i18n/lang/{lang}", "i18n_lang-get", "Read the texts of a language", {
    out: z.record(z.string(), z.string()),
  }),
  setToken: op("POST /i18n/lang/{lang}", "i18n_lang-post", "Set a text of a language", {
    in: { key: fieldName, value: z.string().max(20_000), insert: flag.optional() },
  }),
  table: op(
    "GET /i18n/lang/{lang}/table",
    "i18n_lang_table-get",
    "Read the texts of a language with whether they are translated",
    { out: z.array(LanguageTokenRow) },
  ),
  languages: op("GET /i18n/langs", "i18n_langs-get", "List languages", { out: z.array(Language) }),
};
