import { GatewayError } from "../../engine/errors.ts";
import { allPermissions, everyPermission } from "../permissions.ts";

/** Throws `invalid_request` for a name that is not a permission. */
export function checkNames(names: readonly string[]): void {
  for (const [position, name] of names.entries()) {
    if (name === everyPermission || allPermissions.has(name)) continue;
    const message = `\`permissions.${position}\`: unknown permission \`${name.slice(0, 100)}\`. GET /permissions lists all permissions.`;
    throw new GatewayError("invalid_request", message, { param: `permissions.${position}` });
  }
}

/** Throws `permission_denied` for the first permission that the grantor does not have itself. */
export function refuseEscalation(permissions: Iterable<string>, granted: ReadonlySet<string>, giver: string): void {
  for (const name of permissions) {
    const lacking =
      name === everyPermission
        ? [...allPermissions].find((one) => !granted.has(one))
        : granted.has(name)
          ? undefined
          : name;
    if (lacking === undefined) continue;
    const message = `\`${lacking}\` cannot be granted: ${giver} does not have it.`;
    throw new GatewayError("permission_denied", message, { param: lacking });
  }
}
