import type { ProfilePart, StoredProfile } from "../../api/portal/profiles.ts";
import { GatewayError } from "../../errors.ts";
import { allPermissions } from "../../operations/permissions.ts";
import { dashboardPaths } from "../dashboards/catalogue.ts";
import { everyName, namedBy, waysOf } from "./effective.ts";
import { isUsableAt, type KnownProfiles } from "./known.ts";

/** How long a way from profile to profile may be. */
const deepest = 32;

/** Checks a profile as it would be stored. Throws `invalid_request` naming the field, and `conflict` for a cycle. */
export function checkProfile(profile: StoredProfile, known: KnownProfiles): void {
  const { entries, parents } = profile;
  for (const [position, part] of entries.entries()) checkPart(profile, { part, position }, known);
  for (const [position, { name }] of entries.entries()) {
    if (entries.findIndex((one) => one.name === name) !== position)
      throw invalid(`entries.${position}.name`, `\`${name}\` is there twice`);
  }
  for (const [position, id] of parents.entries()) {
    const parent = checkNamed(profile, { id, param: `parents_ids.${position}` }, known);
    if (parent.type !== profile.type)
      throw invalid(`parents_ids.${position}`, `is a profile of the type ${parent.type}, not ${profile.type}`);
  }
  checkWays(profile, known);
}

interface Part {
  readonly part: ProfilePart;
  readonly position: number;
}

function checkPart(profile: StoredProfile, { part, position }: Part, known: KnownProfiles): void {
  const param = `entries.${position}.name`;
  const { name, enabled, limit } = part;
  if (profile.type === "quota") {
    if (enabled && limit === undefined) throw invalid(`entries.${position}.limit`, "is needed for a quota");
    return;
  }
  if (limit !== undefined) throw invalid(`entries.${position}.limit`, "is for quotas only");
  if (profile.type === "profile") checkNamed(profile, { id: name, param }, known);
  else if (name !== everyName && !names[profile.type].has(name))
    throw invalid(param, `there is no ${profile.type} \`${name.slice(0, 100)}\``);
}

const names = { permission: allPermissions, dashboard: dashboardPaths } as const;

interface Name {
  readonly id: string;
  readonly param: string;
}

/** A profile that another names: it must be visible, and lie at the same place or above. */
function checkNamed(profile: StoredProfile, { id, param }: Name, { visible }: KnownProfiles): StoredProfile {
  const found = visible.find((one) => one.id === id);
  if (!found) throw invalid(param, `there is no profile \`${id.slice(0, 100)}\``);
  if (isUsableAt(found, profile)) return found;
  throw invalid(param, `the profile \`${id}\` belongs to another tenant`);
}

/** Refuses a way that leads back to where it began, and one that is too long. */
function checkWays(profile: StoredProfile, { book }: KnownProfiles): void {
  const ways = waysOf(new Map(book).set(profile.id, profile));
  if (ways.get(profile.id) === Number.POSITIVE_INFINITY) {
    const culprit = namedBy(profile).find((id) => ways.get(id) === Number.POSITIVE_INFINITY);
    throw new GatewayError("conflict", `The profile would contain or inherit itself, by way of \`${culprit}\`.`);
  }
  if ([...ways.values()].some((way) => way > deepest && way !== Number.POSITIVE_INFINITY))
    throw new GatewayError("conflict", `Profiles may build on each other over ${deepest} levels at most.`);
}

/** Throws `conflict` while other profiles inherit from one or contain it. */
export function refuseUsed(id: string, { visible }: KnownProfiles): void {
  const user = visible.find((profile) => namedBy(profile).includes(id));
  if (user) throw new GatewayError("conflict", `The profile \`${user.name}\` builds on this one: change it first.`);
}

function invalid(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
