import { GatewayError } from "../../engine/errors.ts";
import type { Property, PropertyType } from "../../operations/portal/console/properties.ts";
import type { StoredProperty } from "../../operations/records/settings.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import { defaultLanguage, languages } from "../locales/languages.ts";
import type { AreaBackend } from "../regions.ts";
import { readAll } from "../tenancy/record-access.ts";
import { removeOwn, setOwn } from "./own-property.ts";
import { plainTheme } from "./plain-theme.ts";

const picture = (property: string): PropertyType => ({ property, type: "picture" });

/** The properties that the gateway reads. Any other is stored and shown, and means what its tenant makes of it. */
export const propertyCatalogue: readonly PropertyType[] = [
  { property: "language", type: "choice", default: defaultLanguage, allowed: Object.keys(languages) },
  { property: "theme.name", type: "text", default: plainTheme.name },
  picture("theme.logo"),
  picture("theme.favicon"),
  ...Object.entries(plainTheme.colors).map(
    ([name, value]): PropertyType => ({ property: `theme.color.${name}`, type: "color", default: value }),
  ),
];

/** Settings: the nearest level wins, provider → reseller → client (portal-resolved.md, section 6). */
export function propertiesArea(): AreaBackend<"properties"> {
  return {
    async list(_input, call) {
      const nearest = new Map<string, Property>();
      for (const { property, description, value } of await call.listAbove("property")) {
        nearest.set(property, { property, description, value, inherited: true });
      }
      for (const { property, description, value } of (await readAll(call.records, "property")).filter(isOwn(call))) {
        nearest.set(property, { property, description, value, inherited: false });
      }
      return [...nearest.values()];
    },
    set: (wanted, call) => setOwn(wanted, call),
    async remove({ property }, call) {
      if (!(await removeOwn(property, call)))
        throw new GatewayError(
          "not_found",
          `The own level has no property \`${property}\`; an inherited one is removed where it was set.`,
          {
            param: "property",
          },
        );
    },
    catalogue: () => propertyCatalogue.map((one) => ({ ...one, ...(one.allowed && { allowed: [...one.allowed] }) })),
  };
}

/** Returns a test for the properties of the caller's own level, not below it. */
function isOwn({ caller: { scope } }: PortalCall) {
  const own = scopeAt(scope);
  return ({ reseller, client_id }: StoredProperty) => reseller === own.reseller && client_id === own.client_id;
}
