import { GatewayError } from "../../engine/errors.ts";
import type { ProfilePart, StoredProfile } from "../../operations/records/profiles.ts";
import { dashboardPaths } from "../dashboard-catalogue/catalogue.ts";
import { allPermissions } from "../permissions.ts";
import { depthsOf, everyName, namedBy } from "./effective.ts";
import { isUsableAt, type KnownProfiles } from "./known.ts";

/** The greatest depth of nested profiles. */
const deepest = 32;

/** Checks a profile as it would be stored. Throws `invalid_request` naming the field, and `conflict` for a cycle. */
export function checkProfile(profile: StoredProfile, known: KnownProfiles): void {
  const { entries, parents } = profile;
  for (const [position, part] of entries.entries()) checkPart(profile, { part, position }, known);
  for (const [position, { name }] of entries.entries()) {
    if (entries.findIndex((one) => one.name === name) !== position)
      throw invalid(`entries.${position}.name`, `\`${name}\` occurs twice`);
  }
  for (const [position, id] of parents.entries()) {
    const parent = checkNamed(profile, { id, param: `parents_ids.${position}` }, known);
    if (parent.type !== profile.type)
      throw invalid(`parents_ids.${position}`, `is a profile of the type ${parent.type}, not ${profile.type}`);
  }
  checkDepth(profile, known);
}

interface PositionedPart {
  readonly part: ProfilePart;
  readonly position: number;
}

function checkPart(profile: StoredProfile, { part, position }: PositionedPart, known: KnownProfiles): void {
  const param = `entries.${position}.name`;
  const { name, enabled, limit } = part;
  if (profile.type === "quota") {
    if (enabled && limit === undefined) throw invalid(`entries.${position}.limit`, "is required for a quota");
    return;
  }
  if (limit !== undefined) throw invalid(`entries.${position}.limit`, "is allowed for quotas only");
  if (profile.type === "profile") checkNamed(profile, { id: name, param }, known);
  else if (name !== everyName && !names[profile.type].has(name))
    throw invalid(param, `unknown ${profile.type} \`${name.slice(0, 100)}\``);
}

const names = { permission: allPermissions, dashboard: dashboardPaths } as const;

interface ProfileReference {
  readonly id: string;
  readonly param: string;
}

/** Returns a profile that another one names: it must be visible, and belong to the same level or one above. */
function checkNamed(
  profile: StoredProfile,
  { id, param }: ProfileReference,
  { visible }: KnownProfiles,
): StoredProfile {
  const found = visible.find((one) => one.id === id);
  if (!found) throw invalid(param, `unknown profile \`${id.slice(0, 100)}\``);
  if (isUsableAt(found, profile)) return found;
  throw invalid(param, `the profile \`${id}\` belongs to another tenant`);
}

/** Refuses a cycle, and profiles that are nested too deep. */
function checkDepth(profile: StoredProfile, { profilesById }: KnownProfiles): void {
  const depths = depthsOf(new Map(profilesById).set(profile.id, profile));
  if (depths.get(profile.id) === Number.POSITIVE_INFINITY) {
    const culprit = namedBy(profile).find((id) => depths.get(id) === Number.POSITIVE_INFINITY);
    throw new GatewayError("conflict", `The profile would contain or inherit itself through \`${culprit}\`.`);
  }
  if ([...depths.values()].some((depth) => depth > deepest && depth !== Number.POSITIVE_INFINITY))
    throw new GatewayError("conflict", `Profiles may be nested ${deepest} levels deep at most.`);
}

/** Throws `conflict` while other profiles inherit from one or contain it. */
export function refuseUsed(id: string, { visible }: KnownProfiles): void {
  const user = visible.find((profile) => namedBy(profile).includes(id));
  if (user)
    throw new GatewayError("conflict", `The profile \`${user.name}\` uses this one. Change that profile first.`);
}

function invalid(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
