import type { Profile } from "../../operations/portal/tenancy/profiles.ts";
import type { StoredProfile } from "../../operations/records/profiles.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { refuseEscalation } from "../identity/escalation.ts";
import type { AreaBackend } from "../regions.ts";
import { add, change, read, remove } from "../tenancy/record-access.ts";
import { checkProfile, refuseUsed } from "./check.ts";
import { draftProfile, type ProfileDraft, type ProfilePatch, patchProfile } from "./draft.ts";
import { permissionsOf } from "./grants.ts";
import { knownProfiles } from "./known.ts";
import { showProfile } from "./show.ts";

/** Creates, changes and deletes profiles one after the other, so that no two changes together close a cycle. */
export function profileChanges({ newId }: Pick<PortalDeps, "newId">) {
  return {
    create: (draft, call) => call.withLease("profiles", () => createProfile(newId("prf"), draft, call)),
    change: (patch, call) => call.withLease("profiles", () => changeProfile(patch, call)),
    delete: ({ profile_id }, call) => call.withLease("profiles", () => deleteProfile(profile_id, call)),
  } satisfies AreaBackend<"profiles">;
}

async function createProfile(id: string, draft: ProfileDraft, call: PortalCall): Promise<Profile> {
  const profile = draftProfile(id, draft, call);
  await checkChange(undefined, profile, call);
  await add(call.records, "profile", profile);
  return showProfile(profile);
}

async function changeProfile(patch: ProfilePatch, call: PortalCall): Promise<Profile> {
  const present = await read(call.records, "profile", patch.profile_id);
  const profile = patchProfile(present, patch);
  await checkChange(present, profile, call);
  return showProfile(await change(call.records, "profile", { id: profile.id, by: () => profile }));
}

async function deleteProfile(id: string, call: PortalCall): Promise<undefined> {
  await read(call.records, "profile", id);
  refuseUsed(id, await knownProfiles(call));
  await remove(call.records, "profile", id);
}

/** Checks a profile, and that the change grants no permission that the caller does not have itself. */
async function checkChange(
  present: StoredProfile | undefined,
  profile: StoredProfile,
  call: PortalCall,
): Promise<void> {
  const known = await knownProfiles(call);
  checkProfile(profile, known);
  const wasPassedOn = present !== undefined && (present.inheritable || !profile.inheritable);
  const before = new Set(wasPassedOn ? permissionsOf(known.profilesById, profile.id) : []);
  const after = permissionsOf(new Map(known.profilesById).set(profile.id, profile), profile.id);
  refuseEscalation(
    after.filter((name) => !before.has(name)),
    call.caller.permissions,
    "the caller",
  );
}
