import { GatewayError } from "../../engine/errors.ts";
import type { ProfileType, StoredProfile, StoredProfileAssignment } from "../../operations/records/profiles.ts";
import type { PortalCall } from "../call/call.ts";
import { refuseEscalation } from "../identity/escalation.ts";
import type { AreaBackend } from "../regions.ts";
import { notFound, readAll, write } from "../tenancy/record-access.ts";
import { holderOf } from "./assigned.ts";
import { permissionsOf } from "./grants.ts";
import { findHolder, type ProfileLevel } from "./holder.ts";
import { findProfile, isUsableAt, knownProfiles } from "./known.ts";

/** The assignments of profiles: POST adds one, PATCH replaces all of a type, DELETE removes one. */
export function assignmentCalls() {
  return {
    async assign({ profile_id, profile_type, ...named }, call) {
      const holder = await findHolder(named, call);
      const [profile] = await findAssignable([profile_id], { type: profile_type, holder }, call);
      if (profile) await give(profile, holder, call);
    },
    async reassign({ profile_ids, profile_type, ...named }, call) {
      const holder = await findHolder(named, call);
      const type = profile_type;
      const profiles = await findAssignable(profile_ids, { type, holder }, call);
      const assignedIds = new Set(profiles.map(({ id }) => id));
      for (const profile of profiles) await give(profile, holder, call);
      for (const assignment of await readAll(call.records, "profile_assignment", { holder: holderOf(holder) })) {
        if (assignment.type !== type || assignedIds.has(assignment.profile_id)) continue;
        await call.records.remove("profile_assignment", assignment.id);
      }
    },
    async unassign({ profile_id, profile_type, ...named }, call) {
      const holder = await findHolder(named, call);
      const type = profile_type;
      const profile = findProfile(await knownProfiles(call), profile_id, call.caller.scope);
      const id = idOf(holder, profile);
      const outcome = profile.type === type ? await call.records.remove("profile_assignment", id) : undefined;
      if (outcome?.kind !== "removed") throw notFound(`${type} profile of the entity`, profile_id);
    },
  } satisfies AreaBackend<"profiles">;
}

interface AssignmentRequest {
  readonly type: ProfileType;
  readonly holder: ProfileLevel;
}

/** Returns the profiles to assign. Each must have the type, belong to the holder's tenant or above, and grant only what the caller has. */
async function findAssignable(
  ids: readonly string[],
  { type, holder }: AssignmentRequest,
  call: PortalCall,
): Promise<StoredProfile[]> {
  const known = await knownProfiles(call);
  return [...new Set(ids)].map((id) => {
    const profile = findProfile(known, id, call.caller.scope);
    if (profile.type !== type) throw invalid("profile_type", `the profile \`${id}\` is of the type ${profile.type}`);
    if (!isUsableAt(profile, holder))
      throw invalid("profile_id", `the profile \`${id}\` belongs to another tenant than the entity`);
    refuseEscalation(permissionsOf(known.profilesById, profile.id), call.caller.permissions, "the caller");
    return profile;
  });
}

/** One record for each profile and holder: assigning a profile twice changes nothing. */
function idOf(holder: ProfileLevel, profile: StoredProfile): string {
  return `${profile.id}@${holderOf(holder)}`;
}

async function give(profile: StoredProfile, holder: ProfileLevel, { records, now }: PortalCall): Promise<void> {
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
