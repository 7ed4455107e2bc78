import { GatewayError } from "../../engine/errors.ts";
import { createBoundedCache } from "../../engine/runtime/bounded-cache.ts";
import type { ConsoleBoot } from "../../operations/portal/sessions.ts";
import type { PortalDeps } from "../area.ts";
import { textsAt } from "../i18n/reader.ts";
import { defaultLanguage, languages, showLanguages } from "../locales/languages.ts";
import { readAll } from "../tenancy/record-access.ts";
import type { TenantScope } from "../tenancy/tenant-scope.ts";
import { themeAt } from "../themes/area.ts";

/** What the console is booted for: a tenant, `reseller` or `reseller/client`, and a language. */
export interface BootInput {
  readonly tenant?: string | undefined;
  readonly lang?: string | undefined;
}

/** The dependencies of the boot; `version` is the gateway's, empty where it is not shown. */
type BootDeps = Pick<PortalDeps, "records" | "regions"> & {
  readonly version: string;
  readonly oidc: ConsoleBoot["login"]["oidc"];
};

/** The texts that are public. */
const publicTexts = "login.";

/** Returns what the console needs before a login. Throws `not_found` for an unknown language. */
export type Boot = (input: BootInput) => Promise<ConsoleBoot>;

/** The number of answers that are remembered until a text or a property changes: anybody may ask. */
const rememberedAnswers = 200;
const shownKinds = ["text", "property"] as const;

/** Returns the boot of a console. A tenant that does not exist has the provider's theme: the answer does not show which exist. */
export function createBoot(deps: BootDeps): Boot {
  const remembered = createBoundedCache<ConsoleBoot>(rememberedAnswers);
  let stamp = deps.records.stamp(shownKinds);
  return async ({ tenant = "", lang = defaultLanguage }) => {
    if (!Object.hasOwn(languages, lang))
      throw new GatewayError("not_found", `There is no language \`${lang}\`.`, { param: "lang" });
    const current = deps.records.stamp(shownKinds);
    if (current !== stamp) remembered.clear();
    stamp = current;
    const name = JSON.stringify([tenant, lang]);
    const boot = remembered.get(name) ?? (await describeBoot(deps, scopeOfTenant(tenant), lang));
    remembered.set(name, boot);
    return boot;
  };
}

async function describeBoot({ records, regions, version, oidc }: BootDeps, scope: TenantScope, lang: string) {
  const shown = [...(await textsAt(records, lang, scope))].filter(([key]) => key.startsWith(publicTexts));
  return {
    version,
    regions: Object.keys(regions).map((code) => ({ code, name: code })),
    languages: showLanguages(),
    login: { token: true, password: true, oidc: [...oidc] },
    theme: themeAt(scope, await readAll(records, "property")),
    texts: Object.fromEntries(shown),
  };
}

function scopeOfTenant(tenant: string): TenantScope {
  const [reseller, ...client] = tenant.split("/");
  return reseller ? { reseller, ...(client.length === 0 ? {} : { client_id: client.join("/") }) } : {};
}
