import { GatewayError } from "../../../src/engine/errors.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import { grantOf } from "../../../src/portal/profiles/effective.ts";
import { findProfile, type KnownProfiles, knownProfiles } from "../../../src/portal/profiles/known.ts";

/** Limits by quota name; -1 is unlimited. */
export type QuotaLimits = Readonly<Record<string, number>>;

/** Quota profiles by name. */
export type QuotaProfiles = Readonly<Record<string, QuotaLimits>>;

/** The profile that changes nothing: the cloud's own defaults. */
const defaultProfile = "default";

/** Where profiles come from beside the portal's own. */
export interface ProfileSources {
  /** Those of the back end's options. */
  readonly profiles: QuotaProfiles | undefined;
  /** Whether the cloud has a quota of that name. A profile of the portal may hold others too: of clusters, of keys. */
  isKnown(name: string): boolean;
}

/**
 * The limits of a quota profile: one of the portal's, by id or name, as the caller sees it; else one of the back end's options; else
 * `default`. Throws `invalid_request` naming those that there are.
 */
export async function limitsOf(
  name: string,
  { profiles = {}, isKnown }: ProfileSources,
  call: PortalCall,
): Promise<QuotaLimits> {
  const known = await knownProfiles(call);
  const isOwn = known.visible.some((one) => one.id === name || one.name.toLowerCase() === name.toLowerCase());
  if (isOwn) return limitsOfOwn(known, { name, isKnown }, call);
  const limits = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (limits !== undefined) return limits;
  if (name === defaultProfile) return {};
  const own = known.visible.filter(({ type }) => type === "quota").map((one) => one.name);
  const names = [...new Set([...own, defaultProfile, ...Object.keys(profiles)])].slice(0, 20).join(", ");
  throw refusal(`There is no quota profile \`${name.slice(0, 100)}\`; there are ${names}.`);
}

interface OwnQuestion {
  readonly name: string;
  isKnown(name: string): boolean;
}

function limitsOfOwn(known: KnownProfiles, { name, isKnown }: OwnQuestion, { caller }: PortalCall): QuotaLimits {
  const { id } = findProfile(known, name, caller.scope);
  const grants = [...grantOf(known.profilesById, id, { type: "quota" })];
  const limits = grants.flatMap(([quota, limit]) =>
    limit !== undefined && isKnown(quota) ? [[quota, limit] as const] : [],
  );
  if (limits.length > 0) return Object.fromEntries(limits);
  throw refusal(`The profile \`${name.slice(0, 100)}\` holds no quota of the infrastructure.`);
}

function refusal(message: string): GatewayError {
  return new GatewayError("invalid_request", message, { param: "quota_profile" });
}
