import type { StoredProfile } from "../../api/portal/profiles.ts";
import type { Profile } from "../../operations/portal/profiles.ts";
import type { AreaTools } from "../area.ts";
import type { PortalCall } from "../call.ts";
import { refuseEscalation } from "../escalation.ts";
import { checkProfile, refuseUsed } from "../profiles/check.ts";
import { draftProfile, type ProfileDraft, type ProfilePatch, patchProfile } from "../profiles/draft.ts";
import { permissionsOf } from "../profiles/grants.ts";
import { knownProfiles } from "../profiles/known.ts";
import { showProfile } from "../profiles/show.ts";
import type { AreaBackend } from "../regions.ts";
import { add, change, drop, read } from "../shelf.ts";
import { createTurn } from "../turn.ts";

/** Profiles are made, changed and deleted one after the other, so that no two changes close a cycle together. */
export function profileChanges({ newId, records, clock }: Pick<AreaTools, "newId" | "records" | "clock">) {
  const inTurn = createTurn({ records, clock }, "profiles");
  return {
    create: (draft, call) => inTurn(() => createProfile(newId("prf"), draft, call)),
    change: (patch, call) => inTurn(() => changeProfile(patch, call)),
    delete: ({ profile_id }, call) => inTurn(() => deleteProfile(profile_id, call)),
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
  await drop(call.records, "profile", id);
}

/** Checks a profile, and that the change passes on no permission that the caller does not have itself. */
async function checkChange(
  present: StoredProfile | undefined,
  profile: StoredProfile,
  call: PortalCall,
): Promise<void> {
  const known = await knownProfiles(call);
  checkProfile(profile, known);
  const wasPassedOn = present !== undefined && (present.inheritable || !profile.inheritable);
  const before = new Set(wasPassedOn ? permissionsOf(known.book, profile.id) : []);
  const after = permissionsOf(new Map(known.book).set(profile.id, profile), profile.id);
  refuseEscalation(
    after.filter((name) => !before.has(name)),
    call.caller.permissions,
    "the caller",
  );
}
