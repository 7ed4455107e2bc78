import type { PortalRecord } from "./record.ts";

/** The type of the entries of a profile: permissions, dashboards, quotas, or other profiles. */
export const profileTypes = ["permission", "dashboard", "quota", "profile"] as const;
export type ProfileType = (typeof profileTypes)[number];

/** One entry of a profile. */
export interface ProfilePart {
  /** The name of a permission, the path of a dashboard, the name of a quota, or the id of a profile; `*` is all permissions or dashboards. */
  readonly name: string;
  /** False removes an inherited entry. */
  readonly enabled: boolean;
  /** The limit of a quota. */
  readonly limit?: number | undefined;
}

/** A named set (portal-resolved.md, section 6). It belongs to a client or a level above it, never to a user. */
export interface StoredProfile extends PortalRecord {
  readonly name: string;
  /** SHA-256 of the level and the name in lower case: unique among profiles. */
  readonly hash: string;
  readonly type: ProfileType;
  readonly description?: string | undefined;
  /** True for a profile that its children and lower levels inherit. */
  readonly inheritable: boolean;
  /** Ids of the profiles of the same type that it inherits from: of its own level or above. */
  readonly parents: readonly string[];
  readonly entries: readonly ProfilePart[];
}

/** The assignment of a profile to a user or to a whole level. */
export interface StoredProfileAssignment extends PortalRecord {
  /** The holder as one string, by which assignments are found. */
  readonly holder: string;
  readonly profile_id: string;
  readonly type: ProfileType;
}
