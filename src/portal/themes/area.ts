import { GatewayError } from "../../engine/errors.ts";
import type { Theme } from "../../operations/portal/console/themes.ts";
import type { StoredProperty } from "../../operations/records/settings.ts";
import type { PortalCall } from "../call/call.ts";
import { removeOwn, setOwn } from "../properties/own-property.ts";
import { plainTheme } from "../properties/plain-theme.ts";
import type { AreaBackend } from "../regions.ts";
import { notFound, readAll } from "../tenancy/record-access.ts";
import { contains, depthOf, type TenantScope, toScope } from "../tenancy/tenant-scope.ts";
import { checkContrast, propertiesOf } from "./change-theme.ts";

const prefix = "theme.";

/**
 * A theme consists of the properties `theme.name`, `theme.logo`, `theme.favicon` and `theme.color.<name>`, each inherited separately: the
 * specification has no operation that sets a theme, ours writes these properties. `inherited` is true where the scope itself has none of them.
 */
export function themesArea(): AreaBackend<"themes"> {
  return {
    async get({ client_id, reseller_id }, call) {
      const scope = findScope(call, client_id, reseller_id);
      const settings = [...(await call.listAbove("property")), ...(await readAll(call.records, "property"))];
      return themeAt(scope, settings);
    },
    async set(wanted, call) {
      for (const [name, value] of propertiesOf(wanted)) {
        const property = `${prefix}${name}`;
        if (value === null) await removeOwn(property, call);
        else await setOwn({ property, value }, call);
      }
      const settings = [...(await call.listAbove("property")), ...(await readAll(call.records, "property"))];
      const theme = themeAt(call.caller.scope, settings);
      checkContrast(theme); // what was written is dropped with the call
      return theme;
    },
  };
}

/** Returns the theme of a scope from properties, of which those of other scopes are ignored. */
export function themeAt(scope: TenantScope, properties: readonly StoredProperty[]): Theme {
  const own = depthOf({ ...scope, user_id: undefined });
  const settings = properties
    .filter((one) => one.property.startsWith(prefix) && contains(toScope(one), scope))
    .sort((one, other) => depthOf(one) - depthOf(other));
  return { ...toTheme(settings), inherited: !settings.some((one) => depthOf(one) === own) };
}

/** Returns the requested scope: the caller's own, or one below it. */
function findScope({ caller }: PortalCall, client_id: string | undefined, reseller: string | undefined): TenantScope {
  const scope: TenantScope = { ...caller.scope, ...(reseller && { reseller }), ...(client_id && { client_id }) };
  if (!contains(caller.scope, scope)) throw notFound("tenant", client_id ?? reseller ?? "");
  if (scope.client_id === undefined || scope.reseller !== undefined) return scope;
  throw new GatewayError("invalid_request", "`reseller_id`: is required with `client_id`.", { param: "reseller_id" });
}

/** Returns the properties, ordered from the top of the tree down, as a theme: the last one wins. */
function toTheme(settings: readonly StoredProperty[]): Omit<Theme, "inherited"> {
  const values = new Map(settings.map(({ property, value }) => [property.slice(prefix.length), value]));
  const colors = [...values].flatMap(([name, value]) =>
    name.startsWith("color.") ? [[name.slice("color.".length), value]] : [],
  );
  const logo = values.get("logo");
  const favicon = values.get("favicon");
  return {
    name: values.get("name") ?? plainTheme.name,
    colors: { ...plainTheme.colors, ...Object.fromEntries(colors) },
    ...(logo === undefined ? {} : { logo }),
    ...(favicon === undefined ? {} : { favicon }),
  };
}
