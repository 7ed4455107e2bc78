import type { Records } from "../../engine/ports/records.ts";
import type { Caller } from "../call/call.ts";
import { defaultLanguage, languages } from "../locales/languages.ts";
import { readTexts } from "../locales/read.ts";
import { readAll } from "../tenancy/record-access.ts";
import { contains, depthOf, type TenantScope, toScope } from "../tenancy/tenant-scope.ts";
import { chooseLanguage } from "./accept-language.ts";

/** The property that names the language of a tenant's users. */
const languageProperty = "language";

const known: ReadonlySet<string> = new Set(Object.keys(languages));

/** Who reads a text: a caller, where it is known, and the languages that its client accepts. */
export interface Reader {
  readonly caller?: Pick<Caller, "user" | "scope"> | undefined;
  /** The value of `Accept-Language`. */
  readonly accepts?: string | undefined;
}

/**
 * Returns the language of a reader: the one that its user has chosen, else the first that its client accepts, else the property `language`
 * of its tenant or of a level above it, else the default.
 */
export async function languageOf(records: Records, { caller, accepts = "" }: Reader): Promise<string> {
  const chosen = caller && (await records.get("user", caller.user.id))?.record.language;
  if (chosen && known.has(chosen)) return chosen;
  const accepted = chooseLanguage(accepts, known);
  if (accepted !== undefined) return accepted;
  const settings = (await readAll(records, "property", { property: languageProperty }))
    .filter((one) => contains(toScope(one), caller?.scope ?? {}) && known.has(one.value))
    .sort((one, other) => depthOf(other) - depthOf(one));
  return settings[0]?.value ?? defaultLanguage;
}

/** Returns the texts of a language at a place in the tree of tenants, whose own texts and those above it count. */
export async function textsAt(
  records: Records,
  lang: string,
  scope: TenantScope,
): Promise<ReadonlyMap<string, string>> {
  const own = (await readAll(records, "text"))
    .filter((one) => contains(toScope(one), scope))
    .sort((one, other) => depthOf(one) - depthOf(other));
  return readTexts(lang, own);
}
