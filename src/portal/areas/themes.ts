import type { StoredProperty } from "../../api/portal/settings.ts";
import { GatewayError } from "../../errors.ts";
import type { Theme } from "../../operations/portal/themes.ts";
import type { PortalCall } from "../call.ts";
import type { AreaBackend } from "../regions.ts";
import { covers, depthOf, type Place } from "../scope.ts";
import { notFound, readAll } from "../shelf.ts";
import { toPlace } from "../user.ts";

/** What is shown where nothing is said. */
const plain = {
  name: "tollgate",
  colors: { primary: "#1f5fa8", background: "#ffffff", surface: "#f4f6f8", text: "#1a1d21", danger: "#b3261e" },
};

const prefix = "theme.";

/**
 * A theme is what the properties `theme.name`, `theme.logo`, `theme.favicon` and `theme.color.<name>` say of it, each inherited by
 * itself: the specification shows no operation that sets a theme. `inherited` tells that the place has none of them itself.
 */
export function themesArea(): AreaBackend<"themes"> {
  return {
    async get({ client_id, reseller_id }, call) {
      const place = findPlace(call, client_id, reseller_id);
      const own = depthOf({ ...place, user_id: undefined });
      const settings = [...(await call.listAbove("property")), ...(await readAll(call.records, "property"))]
        .filter((one) => one.property.startsWith(prefix) && covers(toPlace(one), place))
        .sort((one, other) => depthOf(one) - depthOf(other));
      return { ...toTheme(settings), inherited: !settings.some((one) => depthOf(one) === own) };
    },
  };
}

/** The place that is asked for: the caller's own, or one below it. */
function findPlace({ caller }: PortalCall, client_id: string | undefined, reseller: string | undefined): Place {
  const asked: Place = { ...caller.place, ...(reseller && { reseller }), ...(client_id && { client_id }) };
  if (!covers(caller.place, asked)) throw notFound("tenant", client_id ?? reseller ?? "");
  if (asked.client_id === undefined || asked.reseller !== undefined) return asked;
  throw new GatewayError("invalid_request", "`reseller_id`: is needed with `client_id`.", { param: "reseller_id" });
}

/** Settings from the top of the tree down, as a theme: the later wins. */
function toTheme(settings: readonly StoredProperty[]): Omit<Theme, "inherited"> {
  const said = new Map(settings.map(({ property, value }) => [property.slice(prefix.length), value]));
  const colors = [...said].flatMap(([name, value]) =>
    name.startsWith("color.") ? [[name.slice("color.".length), value]] : [],
  );
  const logo = said.get("logo");
  const favicon = said.get("favicon");
  return {
    name: said.get("name") ?? plain.name,
    colors: { ...plain.colors, ...Object.fromEntries(colors) },
    ...(logo === undefined ? {} : { logo }),
    ...(favicon === undefined ? {} : { favicon }),
  };
}
