import { GatewayError } from "../errors.ts";
import { allPermissions, everyPermission } from "../operations/permissions.ts";

/** Throws `invalid_request` for a name that is no permission. */
export function checkNames(names: readonly string[]): void {
  for (const [position, name] of names.entries()) {
    if (name === everyPermission || allPermissions.has(name)) continue;
    const message = `\`permissions.${position}\`: there is no permission \`${name.slice(0, 100)}\`; GET /permissions lists them.`;
    throw new GatewayError("invalid_request", message, { param: `permissions.${position}` });
  }
}

/** Nobody gives what it does not have: throws `permission_denied` naming the first permission that the giver lacks. */
export function refuseEscalation(given: Iterable<string>, has: ReadonlySet<string>, whose: string): void {
  for (const name of given) {
    const lacking =
      name === everyPermission ? [...allPermissions].find((one) => !has.has(one)) : has.has(name) ? undefined : name;
    if (lacking === undefined) continue;
    const message = `\`${lacking}\` cannot be given: ${whose} does not have it.`;
    throw new GatewayError("permission_denied", message, { param: lacking });
  }
}
