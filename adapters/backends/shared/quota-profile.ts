import { GatewayError } from "../../../src/errors.ts";

/** Limits by quota name; -1 is unlimited. */
export type Limits = Readonly<Record<string, number>>;

/** Quota profiles by name. */
export type QuotaProfiles = Readonly<Record<string, Limits>>;

/** The profile that changes nothing: the cloud's own defaults. */
const defaultProfile = "default";

/** The limits of a profile. Throws `invalid_request` naming those that there are. */
export function limitsOf(name: string, profiles: QuotaProfiles = {}): Limits {
  const limits = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (limits !== undefined) return limits;
  if (name === defaultProfile) return {};
  const known = [...new Set([defaultProfile, ...Object.keys(profiles)])].join(", ");
  const message = `There is no quota profile \`${name.slice(0, 100)}\`; there are ${known}.`;
  throw new GatewayError("invalid_request", message, { param: "quota_profile" });
}
