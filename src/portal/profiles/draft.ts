import { hash } from "node:crypto";
import { GatewayError } from "../../engine/errors.ts";
import type { InputOf } from "../../operations/calls.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { ProfilePart, StoredProfile } from "../../operations/records/profiles.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import { notFound } from "../tenancy/record-access.ts";
import { contains } from "../tenancy/tenant-scope.ts";
import { levelOf } from "./holder.ts";

export type ProfileDraft = InputOf<Areas["profiles"]["create"]>;
export type ProfilePatch = InputOf<Areas["profiles"]["change"]>;

/** Returns a new profile as it would be stored: at the caller's level, unless the draft names one below it. */
export function draftProfile(id: string, draft: ProfileDraft, call: PortalCall): StoredProfile {
  const { name, profile_type, description, inheritable = true, parents_ids = [], entries = [] } = draft;
  const { reseller, client_id } = scopeOfNew(draft, call);
  return {
    id,
    created_at: new Date(call.now).toISOString(),
    ...{ reseller, client_id, name, description, inheritable },
    entries: toParts(entries),
    hash: hashName(reseller, client_id, name),
    type: profile_type,
    parents: [...new Set(parents_ids)],
  };
}

/** Returns a profile as it would be stored after a change. */
export function patchProfile(present: StoredProfile, patch: ProfilePatch): StoredProfile {
  const name = patch.name ?? present.name;
  return {
    ...present,
    name,
    hash: hashName(present.reseller, present.client_id, name),
    description: patch.description ?? present.description,
    inheritable: patch.inheritable ?? present.inheritable,
    parents: [...new Set(patch.parents_ids ?? present.parents)],
    entries: patch.entries ? toParts(patch.entries) : present.entries,
  };
}

function toParts(entries: NonNullable<ProfileDraft["entries"]>): ProfilePart[] {
  return entries.map(({ enabled = true, ...part }) => ({ ...part, enabled }));
}

function scopeOfNew({ reseller_name, client_id }: ProfileDraft, { caller }: PortalCall) {
  const own = scopeAt(caller.scope);
  if (own.user_id !== null)
    throw new GatewayError("permission_denied", "Profiles belong to a client or a level above it, not to a user.");
  const named = { reseller_name: reseller_name ?? own.reseller ?? "", client_id: client_id ?? own.client_id ?? "" };
  const level = levelOf(named, "reseller_name");
  if (contains(caller.scope, level)) return level;
  throw notFound("tenant", client_id || reseller_name || "");
}

/** Returns the hash of level and name, which is unique among profiles. */
function hashName(reseller: string | null, client_id: string | null, name: string): string {
  return hash("sha256", JSON.stringify([reseller, client_id, name.toLowerCase()]), "hex");
}
