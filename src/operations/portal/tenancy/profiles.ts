import { z } from "zod";
import { op } from "../../define.ts";
import { profileTypes } from "../../records/profiles.ts";
import { amount, fieldName, flag, id, ids, level, note, text, title } from "../fields.ts";

const profileType = z.enum(profileTypes);

/** A named set of permissions, dashboards, quotas or other profiles. */
export const Profile = z.object({
  client: z.string().optional(),
  description: z.string().optional(),
  id: z.string(),
  inheritable: flag,
  name: z.string(),
  provider: z.string().optional(),
  reseller: z.string().optional(),
  type: profileType,
});
export type Profile = z.output<typeof Profile>;

/** A profile with those that inherit from it. */
export const ProfileTreeNode = z.object({
  children: z.array(z.unknown()),
  client: z.string().optional(),
  description: z.string().optional(),
  expanded: flag,
  id: z.string(),
  inheritable: flag,
  name: z.string(),
  parents_ids: z.array(z.unknown()),
  provider: z.string().optional(),
  reseller: z.string().optional(),
  type: profileType,
});
export type ProfileTreeNode = z.output<typeof ProfileTreeNode>;

/** A permission or a profile inside a profile. */
export const ProfileEntry = z.object({
  description: z.string().optional(),
  enabled: flag,
  group: z.string().nullable(),
  name: z.string(),
});
export type ProfileEntry = z.output<typeof ProfileEntry>;

/** A dashboard of a profile. */
export const ProfileDashboard = z.object({
  enabled: flag,
  name: z.string(),
});
export type ProfileDashboard = z.output<typeof ProfileDashboard>;

/** An entry of a profile: it adds a name or, with `enabled: false`, removes an inherited one. `limit` is for quotas. */
const part = z.strictObject({ name: fieldName, enabled: flag.optional(), limit: amount.optional() });
const draft = {
  description: note.optional(),
  inheritable: flag.optional(),
  parents_ids: z.array(id).max(32).optional(),
  entries: z.array(part).max(1_000).optional(),
};

/** Profiles: what users may do and see. An empty `client_id` or `reseller_name` means the level above. */
export const profiles = {
  list: op("GET /profile", "profile-get", "List profiles", {
    in: { profile_type: profileType.optional() },
    out: z.array(Profile),
  }),
  unassign: op("DELETE /profile/assign", "profile_assign-delete", "Take a profile off an entity", {
    in: { client_id: level, entity: text, profile_id: id, profile_type: profileType, reseller_name: level },
    rules: ["`reseller_name` must not be empty where `client_id` names a client."],
  }),
  reassign: op("PATCH /profile/assign", "profile_assign-patch", "Replace the profiles of an entity", {
    in: { client_id: level, entity: text, profile_ids: ids, profile_type: profileType, reseller_name: level },
    rules: ["`reseller_name` must not be empty where `client_id` names a client."],
  }),
  assign: op("POST /profile/assign", "profile_assign-post", "Assign a profile to an entity", {
    in: { client_id: level, entity: text, profile_id: id, profile_type: profileType, reseller_name: level },
    rules: ["`reseller_name` must not be empty where `client_id` names a client."],
  }),
  dashboards: op("GET /profile/dashboard/{name}", "profile_dashboard-get", "List the dashboards of a profile", {
    out: z.array(ProfileDashboard),
  }),
  permissions: op("GET /profile/permission/{name}", "profile_permissions-get", "List the permissions of a profile", {
    out: z.array(ProfileEntry),
  }),
  profiles: op("GET /profile/profiles/{name}", "profile_profiles-get", "List the profiles inside a profile", {
    out: z.array(ProfileEntry),
  }),
  tree: op("GET /profiles/tree", "profiles_tree-get", "Read the tree of profiles", { out: z.array(ProfileTreeNode) }),
  create: op("POST /profiles", "profiles-post", "Create a profile", {
    in: {
      name: title,
      profile_type: profileType,
      ...draft,
      reseller_name: level.optional(),
      client_id: level.optional(),
    },
    out: Profile,
    isExtension: true,
    rules: [
      "`parents_ids` must be profiles of the same type, the `name` of an entry what the type lists, and an entry of a quota needs its `limit`.",
      "`reseller_name` must not be empty where `client_id` names a client.",
    ],
  }),
  change: op("PATCH /profiles/{profile_id}", "profile-patch", "Change a profile; lists are replaced as a whole", {
    in: { name: title.optional(), ...draft },
    out: Profile,
    isExtension: true,
    rules: [
      "`parents_ids` must be profiles of the same type, the `name` of an entry what the type lists, and an entry of a quota needs its `limit`.",
    ],
  }),
  delete: op("DELETE /profiles/{profile_id}", "profile-delete", "Delete a profile that nobody has", {
    isExtension: true,
  }),
};
