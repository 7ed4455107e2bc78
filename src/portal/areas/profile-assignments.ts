import type { ProfileType, StoredProfile, StoredProfileAssignment } from "../../api/portal/profiles.ts";
import { GatewayError } from "../../errors.ts";
import type { PortalCall } from "../call.ts";
import { refuseEscalation } from "../escalation.ts";
import { holderOf } from "../profiles/assigned.ts";
import { permissionsOf } from "../profiles/grants.ts";
import { findHolder, type Level } from "../profiles/holder.ts";
import { findProfile, isUsableAt, knownProfiles, readType } from "../profiles/known.ts";
import type { AreaBackend } from "../regions.ts";
import { notFound, readAll, write } from "../shelf.ts";

/** Who has which profiles: POST adds one, PATCH replaces all of a type, DELETE takes one away. */
export function assignmentCalls() {
  return {
    async assign({ profile_id, profile_type, ...named }, call) {
      const holder = await findHolder(named, call);
      const [profile] = await findGiven([profile_id], { type: readType(profile_type), holder }, call);
      if (profile) await give(profile, holder, call);
    },
    async reassign({ profile_ids, profile_type, ...named }, call) {
      const holder = await findHolder(named, call);
      const type = readType(profile_type);
      const profiles = await findGiven(profile_ids, { type, holder }, call);
      const kept = new Set(profiles.map(({ id }) => id));
      for (const profile of profiles) await give(profile, holder, call);
      for (const assignment of await readAll(call.records, "profile_assignment", { holder: holderOf(holder) })) {
        if (assignment.type !== type || kept.has(assignment.profile_id)) continue;
        await call.records.remove("profile_assignment", assignment.id);
      }
    },
    async unassign({ profile_id, profile_type, ...named }, call) {
      const holder = await findHolder(named, call);
      const type = readType(profile_type);
      const profile = findProfile(await knownProfiles(call), profile_id, call.caller.place);
      const id = idOf(holder, profile);
      const outcome = profile.type === type ? await call.records.remove("profile_assignment", id) : undefined;
      if (outcome?.kind !== "removed") throw notFound(`${type} profile of the entity`, profile_id);
    },
  } satisfies AreaBackend<"profiles">;
}

interface Gift {
  readonly type: ProfileType;
  readonly holder: Level;
}

/** The profiles that are to be given: of the type, of the holder's tenant or above, and granting nothing that the caller does not have. */
async function findGiven(ids: readonly string[], { type, holder }: Gift, call: PortalCall): Promise<StoredProfile[]> {
  const known = await knownProfiles(call);
  return [...new Set(ids)].map((id) => {
    const profile = findProfile(known, id, call.caller.place);
    if (profile.type !== type) throw invalid("profile_type", `the profile \`${id}\` is of the type ${profile.type}`);
    if (!isUsableAt(profile, holder))
      throw invalid("profile_id", `the profile \`${id}\` belongs to another tenant than the entity`);
    refuseEscalation(permissionsOf(known.book, profile.id), call.caller.permissions, "the caller");
    return profile;
  });
}

/** The same profile of the same holder is one record: to give it twice is to give it once. */
function idOf(holder: Level, profile: StoredProfile): string {
  return `${profile.id}@${holderOf(holder)}`;
}

async function give(profile: StoredProfile, holder: Level, { records, now }: PortalCall): Promise<void> {
  const id = idOf(holder, profile);
  const created_at = new Date(now).toISOString();
  const { type, id: profile_id } = profile;
  const assignment: StoredProfileAssignment = {
    id,
    created_at,
    ...holder,
    holder: holderOf(holder),
    profile_id,
    type,
  };
  await write(records, "profile_assignment", { id, by: (present) => present ?? assignment });
}

function invalid(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
